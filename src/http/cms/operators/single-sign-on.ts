import type { OpenIdAttempt } from '../../../domain/access/openid.ts'
import { seal, unseal } from '../../../domain/audit/seal.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { signInWithProvider } from '../../../operations/access/sign-in.ts'
import { Type } from '../../schema.ts'
import { text } from '../../schema-parts.ts'
import { setAttemptCookie } from '../cookie.ts'
import type { PublicContext, PublicEndpoint } from '../endpoint.ts'
import { anyText, members } from '../fields.ts'
import type { OpenIdProvider } from './openid-provider.ts'
import { sessionResponse, signedIn } from './sign-in.ts'

const attemptSeconds = 600
export const attemptPurpose = 'atrium single sign-on attempt'

export const getSignIn: PublicEndpoint = {
  method: 'GET',
  path: '/cms/v1/sign-in',
  operationId: 'getSignInWays',
  tag: 'Sign-in',
  role: 'anyone',
  summary: 'List the ways to sign in',
  description: 'Always with a password; through an OpenID provider if one is configured.',
  response: {
    description: 'The ways.',
    schema: Type.Object({
      single_sign_on: Type.Union([Type.Object({ name: text('Name of the provider.') }), Type.Null()], {
        description: 'Null if none is configured.',
      }),
    }),
    example: { single_sign_on: { name: 'login.example.com' } },
  },
  refusals: [],
  handle: async ({ openIdProvider }) => ({
    body: { single_sign_on: openIdProvider === undefined ? null : { name: openIdProvider.name } },
  }),
}

export const postSingleSignOn: PublicEndpoint = {
  method: 'POST',
  path: '/cms/v1/sign-in/oidc',
  operationId: 'beginSingleSignOn',
  tag: 'Sign-in',
  role: 'anyone',
  summary: 'Begin a single sign-on',
  description:
    'Returns the address where the browser signs in (OpenID Connect, code flow with PKCE), and sets a cookie that ties the attempt to this browser for ten minutes.',
  response: {
    description: 'The address at the provider.',
    schema: Type.Object({ location: text('Address to open in the browser.') }),
    example: { location: 'https://login.example.com/authorize?client_id=atrium&response_type=code' },
  },
  refusals: ['route_not_found', 'single_sign_on_unavailable'],
  handle: async (context) => {
    const provider = configured(context)
    const { location, attempt } = await provider.begin()
    const sealed = seal(
      provider.secret,
      attemptPurpose,
      JSON.stringify({ ...attempt, until: Date.now() + attemptSeconds * 1000 }),
    )
    return { body: { location }, headers: setAttemptCookie(sealed, attemptSeconds, context.isSecure) }
  },
}

const returned = members({ query: anyText }, ['query'])

export const postSingleSignOnReturn: PublicEndpoint = {
  method: 'POST',
  path: '/cms/v1/sign-in/oidc/return',
  operationId: 'finishSingleSignOn',
  tag: 'Sign-in',
  role: 'anyone',
  summary: 'Finish a single sign-on',
  description:
    'The console sends the query string with which the provider redirected to it. Signs in the operator whose e-mail address the provider has verified.',
  body: {
    schema: Type.Object({ query: text('The query string with which the browser returned.') }),
    example: { query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
  },
  response: signedIn,
  refusals: ['route_not_found', 'sign_in_refused', 'single_sign_on_failed', 'single_sign_on_unavailable'],
  handle: async (context) => {
    const provider = configured(context)
    const { query } = await context.read(returned)
    const attempt = attemptOf(context, provider)
    const identity = await provider.finish(query, attempt)
    const spent = { state: attempt.state, until: new Date(attempt.until).toISOString() }
    return sessionResponse(await signInWithProvider(context.db, identity, spent, context.visitor), context.isSecure)
  },
}

function configured({ openIdProvider }: PublicContext): OpenIdProvider {
  if (openIdProvider !== undefined) return openIdProvider
  throw new Refusal('route_not_found', 'Single sign-on is not configured here. Sign in with a password or a link.')
}

function attemptOf({ attemptCookie }: PublicContext, provider: OpenIdProvider): OpenIdAttempt & { until: number } {
  const decrypted = attemptCookie === undefined ? undefined : unseal(provider.secret, attemptPurpose, attemptCookie)
  const attempt = decrypted === undefined ? undefined : JSON.parse(decrypted)
  if (attempt?.until > Date.now()) return attempt
  throw new Refusal(
    'single_sign_on_failed',
    'This sign-in was started more than ten minutes ago, or in another browser: start it again.',
  )
}
