import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import type { OpenIdConfig } from '../../../config.ts'
import type { OpenIdAttempt, OpenIdIdentity } from '../../../domain/access/openid.ts'
import { Refusal } from '../../../domain/refusal.ts'

type Library = typeof import('openid-client')

const timeoutSeconds = 8
const retryAfterSeconds = 5
const metadataTtlMs = 3_600_000

/** Signs operators in at an OpenID Connect provider (code flow with PKCE). Its library is loaded at the first use. */
export class OpenIdProvider {
  readonly #settings: OpenIdConfig
  #cached: { expiresAtMs: number; configuration: Promise<Configuration> } | undefined

  constructor(settings: OpenIdConfig) {
    this.#settings = settings
  }

  get name(): string {
    return this.#settings.name
  }

  /** The client secret. All nodes of the installation share it, so it also encrypts the sign-in cookie. */
  get secret(): string {
    return this.#settings.clientSecret
  }

  /** Returns the provider's URL to open, and secrets with which `finish` verifies its response. */
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

  /** `query` is the query string with which the browser returned from the provider. */
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
      // Some providers return the e-mail address only from their userinfo endpoint (OpenID Connect Core, section 5.4).
      return this.#identity(await library.fetchUserInfo(configuration, tokens.access_token, claims.sub))
    } catch (error) {
      throw refusalFor(library, error)
    }
  }

  #identity({ email, email_verified: isVerified }: Record<string, unknown>): OpenIdIdentity {
    const isAssumed = isVerified === undefined && this.#settings.emailVerified === 'assumed'
    return { email: typeof email === 'string' ? email : '', isVerified: isVerified === true || isAssumed }
  }

  /** Caches the provider's metadata for an hour. Concurrent calls share one request; failures are not cached. */
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
  // Allows plain HTTP, which can only be for a provider on this machine: the settings refuse other http: URLs.
  const inTheClear = issuer.startsWith('http:') ? [library.allowInsecureRequests] : []
  return library.discovery(new URL(issuer), clientId, undefined, authenticate, {
    // Verifies the signature of the ID token, which the library skips by default, as the token comes over TLS.
    execute: [library.enableNonRepudiationChecks, ...inTheClear],
    timeout: timeoutSeconds,
  })
}

/** Error codes of the library for a provider that timed out or sent a malformed response. */
const unavailableCodes = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']

function refusalFor({ AuthorizationResponseError }: Library, error: unknown): Refusal {
  // A failed connection makes fetch reject with a TypeError.
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

/** Attaches the original error to the refusal, so that its code is logged. */
function caused(refusal: Refusal, error: unknown): Refusal {
  refusal.cause = error
  return refusal
}
