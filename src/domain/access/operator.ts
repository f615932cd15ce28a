/** The roles of operators, in ascending order: each includes the rights of those before it. */
export const roles = ['viewer', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

export interface Operator {
  id: string
  /** The login name, in lower case. */
  email: string
  name: string
  role: Role
  /** Operators without a password sign in by a link or with OpenID Connect. */
  hasPassword: boolean
  createdAt: string
  /** A disabled operator cannot sign in, and the keys of the operator are not accepted. */
  disabledAt: string | null
}

export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

const maxEmailLength = 254

/** Checks only that there is one @ between two texts without white space; the rest is for the mail server to decide. */
export function emailFault(email: string): string | undefined {
  const usable = email.length <= maxEmailLength && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)
  return usable ? undefined : 'must be an e-mail address such as ada@example.com'
}

export function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}
