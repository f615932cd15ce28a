import type { NewSession } from '../../../operations/access/sign-in.ts'
import { signInWithLink, signInWithPassword } from '../../../operations/access/sign-in.ts'
import { Type } from '../../schema.ts'
import { text } from '../../schema-parts.ts'
import { setSessionCookie } from '../cookie.ts'
import type { CmsResult, PublicEndpoint } from '../endpoint.ts'
import { anyText, email, members } from '../fields.ts'
import { operatorView, signedInExample } from './operator-view.ts'

export const signedIn = {
  description: 'Signed in; the cookie `atrium_session` is set.',
  schema: Type.Ref('SignedIn'),
  example: signedInExample,
}

export function sessionResponse({ operator, session, secret }: NewSession, isSecure: boolean): CmsResult {
  return {
    body: { operator: operatorView(operator), via: 'session', expires_at: session.expiresAt },
    headers: setSessionCookie(secret, session.expiresAt, isSecure),
  }
}

const credentials = members({ email, password: anyText }, ['email', 'password'])

export const signIn: PublicEndpoint = {
  method: 'POST',
  path: '/cms/v1/sign-in',
  operationId: 'signIn',
  tag: 'Sign-in',
  role: 'anyone',
  summary: 'Sign in with a password',
  description: 'Repeated failures are delayed more and more: `429` with `Retry-After`.',
  body: {
    schema: Type.Object({ email: text('E-mail address.'), password: text('Password.') }),
    example: { email: 'ada@example.com', password: 'a short sentence is good' },
  },
  response: signedIn,
  refusals: ['sign_in_refused', 'sign_in_slowed'],
  handle: async ({ db, visitor, isSecure, read }) =>
    sessionResponse(await signInWithPassword(db, await read(credentials), visitor), isSecure),
}

const link = members({ secret: anyText }, ['secret'])

export const signInByLink: PublicEndpoint = {
  method: 'POST',
  path: '/cms/v1/sign-in/link',
  operationId: 'signInByLink',
  tag: 'Sign-in',
  role: 'anyone',
  summary: 'Sign in with a link',
  description: 'A link works once, within an hour. The console sends the fragment after `#`.',
  body: { schema: Type.Object({ secret: text('The secret of the link.') }), example: { secret: 'x'.repeat(43) } },
  response: signedIn,
  refusals: ['sign_in_refused'],
  handle: async ({ db, visitor, isSecure, read }) => {
    const { secret } = await read(link)
    return sessionResponse(await signInWithLink(db, secret, visitor), isSecure)
  },
}
