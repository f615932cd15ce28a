/** What an operator may do, from least to most; each role may do all that those before it may. */
export const roles = ['viewer', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

/** Somebody who keeps the estate. */
export interface Operator {
  id: string
  /** In lower case: it is what they sign in with. */
  email: string
  name: string
  role: Role
  /** Without a password they sign in by a link or through OpenID Connect. */
  hasPassword: boolean
  createdAt: string
  /** A disabled operator cannot sign in, and their keys do nothing. */
  disabledAt: string | null
}

export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

const maxEmailLength = 254

/** Not more than a mail server would need to try: one @ with something on both sides, and no white space. */
export function emailFault(email: string): string | undefined {
  const usable = email.length <= maxEmailLength && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)
  return usable ? undefined : 'must be an e-mail address such as ada@example.com'
}

export function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}
