import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import type { OpenIdConfig } from '../../../config.ts'
import type { OpenIdAttempt, OpenIdIdentity } from '../../../domain/access/openid.ts'
import { Refusal } from '../../../domain/refusal.ts'

type Library = typeof import('openid-client')

const timeoutSeconds = 8
const retryAfterSeconds = 5
const metadataTtlMs = 3_600_000

/** Client of the OpenID Connect provider for single sign-on (code flow with PKCE). Its library is loaded on first use. */
export class OpenIdProvider {
  readonly #settings: OpenIdConfig
  #cached: { expiresAtMs: number; configuration: Promise<Configuration> } | undefined

  constructor(settings: OpenIdConfig) {
    this.#settings = settings
  }

  get name(): string {
    return this.#settings.name
  }

  /** The client secret, which all nodes of the installation share. */
  get secret(): string {
    return this.#settings.clientSecret
  }

  /** Returns the address to send the browser to, and the secrets needed to verify its return. */
  async begin(): Promise<{ location: string; attempt: OpenIdAttempt }> {
    const library = await import('openid-client')
    const configuration = await this.#configuration(library)
    const state = library.randomState()
    const nonce = library.randomNonce()
    const verifier = library.randomPKCECodeVerifier()
    const location = library.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#settings.redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { location: location.href, attempt: { state, nonce, verifier } }
  }

  /** Verifies the return of the browser; `query` is the query string that the provider added. */
  async finish(query: string, { state, nonce, verifier }: OpenIdAttempt): Promise<OpenIdIdentity> {
    const library = await import('openid-client')
    const configuration = await this.#configuration(library)
    const address = new URL(this.#settings.redirectUri)
    address.search = query
    try {
      const tokens = await library.authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims() as IDToken
      if (claims.email !== undefined) return this.#identity(claims)
      // A provider may return the address only from its userinfo endpoint (OpenID Connect Core, 5.4).
      return this.#identity(await library.fetchUserInfo(configuration, tokens.access_token, claims.sub))
    } catch (error) {
      throw refusalFor(library, error)
    }
  }

  #identity({ email, email_verified: isVerified }: Record<string, unknown>): OpenIdIdentity {
    const isAssumed = isVerified === undefined && this.#settings.emailVerified === 'assumed'
    return { email: typeof email === 'string' ? email : '', isVerified: isVerified === true || isAssumed }
  }

  /** Loads the metadata of the provider: cached for an hour, single-flight, failures are not cached. */
  async #configuration(library: Library): Promise<Configuration> {
    if (this.#cached === undefined || this.#cached.expiresAtMs < Date.now()) {
      this.#cached = { expiresAtMs: Date.now() + metadataTtlMs, configuration: discover(library, this.#settings) }
    }
    const { configuration } = this.#cached
    return configuration.catch((error: unknown) => {
      if (this.#cached?.configuration === configuration) this.#cached = undefined
      throw unavailable(error)
    })
  }
}

function discover(library: Library, { issuer, clientId, clientSecret }: OpenIdConfig): Promise<Configuration> {
  const authenticate: ClientAuth = (server, ...rest) => {
    const isPosted = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const method = isPosted ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret)
    method(server, ...rest)
  }
  // Plain HTTP for providers on this machine only: the settings refuse other http: addresses.
  const inTheClear = issuer.startsWith('http:') ? [library.allowInsecureRequests] : []
  return library.discovery(new URL(issuer), clientId, undefined, authenticate, {
    // Checks signatures although the token comes straight from the provider over TLS.
    execute: [library.enableNonRepudiationChecks, ...inTheClear],
    timeout: timeoutSeconds,
  })
}

/** Error codes of the library for a response that timed out or is malformed. */
const unavailableCodes = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']

function refusalFor({ AuthorizationResponseError }: Library, error: unknown): Refusal {
  // fetch reports a failed connection as TypeError.
  if (error instanceof TypeError || unavailableCodes.includes(String((error as { code?: unknown }).code))) {
    return unavailable(error)
  }
  if (error instanceof AuthorizationResponseError) {
    return new Refusal(
      'single_sign_on_failed',
      'The provider refused the sign-in. Try again, or ask the administrator of the provider.',
    )
  }
  const detail =
    'The response of the provider does not belong to this sign-in, or was used already: start the sign-in again.'
  return caused(new Refusal('single_sign_on_failed', detail), error)
}

function unavailable(error: unknown): Refusal {
  const detail =
    'The single sign-on provider cannot be reached, or responds with an error. Try again later, or sign in with a password or a link.'
  return caused(new Refusal('single_sign_on_unavailable', detail, { retryAfterSeconds }), error)
}

/** Attaches the cause, whose code the log shows. */
function caused(refusal: Refusal, error: unknown): Refusal {
  refusal.cause = error
  return refusal
}
