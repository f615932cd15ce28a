import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import type { OpenIdConfig } from '../../../config.ts'
import type { OpenIdAttempt, OpenIdIdentity } from '../../../domain/access/openid.ts'
import { Refusal } from '../../../domain/refusal.ts'

type Library = typeof import('openid-client')

const answerWithinSeconds = 8
const askAgainSeconds = 5
const discoveredForMs = 3_600_000

/** Where operators sign in for many services at once. Its library is loaded when the first of them does. */
export class OpenIdProvider {
  readonly #settings: OpenIdConfig
  #found: { untilMs: number; configuration: Promise<Configuration> } | undefined

  constructor(settings: OpenIdConfig) {
    this.#settings = settings
  }

  get name(): string {
    return this.#settings.name
  }

  /** What this installation, all its nodes, and nobody else shares with the provider. */
  get secret(): string {
    return this.#settings.clientSecret
  }

  /** Where the browser goes, and what must be known when it comes back. */
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

  /** Who it was that came back; `query` is what the provider put behind the `?`. */
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
      // A provider may tell the address only to those who ask for it with the token (OpenID Connect Core, 5.4).
      return this.#identity(await library.fetchUserInfo(configuration, tokens.access_token, claims.sub))
    } catch (error) {
      throw refusalFor(library, error)
    }
  }

  #identity({ email, email_verified: isVerified }: Record<string, unknown>): OpenIdIdentity {
    const isAssumed = isVerified === undefined && this.#settings.emailVerified === 'assumed'
    return { email: typeof email === 'string' ? email : '', isVerified: isVerified === true || isAssumed }
  }

  /** Asked for once an hour, and by one at a time. */
  async #configuration(library: Library): Promise<Configuration> {
    if (this.#found === undefined || this.#found.untilMs < Date.now()) {
      this.#found = { untilMs: Date.now() + discoveredForMs, configuration: discover(library, this.#settings) }
    }
    const { configuration } = this.#found
    return configuration.catch((error: unknown) => {
      if (this.#found?.configuration === configuration) this.#found = undefined
      throw unavailable(error)
    })
  }
}

function discover(library: Library, { issuer, clientId, clientSecret }: OpenIdConfig): Promise<Configuration> {
  const authenticate: ClientAuth = (server, ...rest) => {
    const isPosted = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const way = isPosted ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret)
    way(server, ...rest)
  }
  // In the clear on this machine only: the settings let no other such address through.
  const inTheClear = issuer.startsWith('http:') ? [library.allowInsecureRequests] : []
  return library.discovery(new URL(issuer), clientId, undefined, authenticate, {
    // Signatures are checked although the token came straight from the provider.
    execute: [library.enableNonRepudiationChecks, ...inTheClear],
    timeout: answerWithinSeconds,
  })
}

/** What the library calls an answer that did not come, or is none that a provider in order gives. */
const awayCodes = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']

function refusalFor({ AuthorizationResponseError }: Library, error: unknown): Refusal {
  // What a connection fails with has no type of its own.
  if (error instanceof TypeError || awayCodes.includes(String((error as { code?: unknown }).code))) {
    return unavailable(error)
  }
  if (error instanceof AuthorizationResponseError) {
    return new Refusal('single_sign_on_failed', 'The provider did not let you in.')
  }
  const detail = 'The answer of the provider is not the one to this sign-in, or was used already: begin again.'
  return caused(new Refusal('single_sign_on_failed', detail), error)
}

function unavailable(error: unknown): Refusal {
  const detail = 'The provider of the single sign-on cannot be reached, or is not in order.'
  return caused(new Refusal('single_sign_on_unavailable', detail, { retryAfterSeconds: askAgainSeconds }), error)
}

/** The log names the code of the cause. */
function caused(refusal: Refusal, error: unknown): Refusal {
  refusal.cause = error
  return refusal
}
