import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Person {
  email?: string
  email_verified?: boolean
}

interface Order {
  nonce: string
  challenge: string
  redirectUri: string
  person: Person
}

const client = { id: 'atrium', secret: 'shared by the tests' }
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A small OpenID provider (discovery, keys, code flow with PKCE, user info) that can be set to misbehave. */
export class TestOpenIdProvider {
  /** The person who signs in. */
  person: Person = {}
  /** Wrong members of the identity token. */
  lies: Record<string, unknown> = {}
  isDown = false
  /** Signs with a key that it has not published. */
  isForged = false
  /** Accepts a code more than once. */
  isForgetful = false
  /** Returns the address only from the user info endpoint. */
  isDiscreet = false
  /** Denies the sign-in. */
  isStrict = false
  /** Expects the client secret in the form instead of the header. */
  wantsForm = false
  issuer = ''

  readonly #key = newKey()
  readonly #stranger = newKey()
  readonly #orders = new Map<string, Order>()
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    // Does not keep the test process alive.
    this.#server.unref()
    // For a browser this is another site than 127.0.0.1.
    this.issuer = `http://localhost:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** Registers an Atrium with this `publicUrl` as its client. */
  settings(publicUrl = 'http://atrium.test'): Record<string, string> {
    return {
      ATRIUM_PUBLIC_URL: publicUrl,
      ATRIUM_OIDC_ISSUER: this.issuer,
      ATRIUM_OIDC_CLIENT_ID: client.id,
      ATRIUM_OIDC_CLIENT_SECRET: client.secret,
      ATRIUM_OIDC_NAME: 'Example Login',
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.issuer)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (this.isDown) return void response.writeHead(503).end()
    if (pathname === '/authorize')
      return void response.writeHead(302, { location: this.#authorize(searchParams) }).end()
    if (pathname === '/.well-known/openid-configuration') return void json(200, this.#metadata())
    if (pathname === '/keys') return void json(200, { keys: [this.#publicKey()] })
    if (pathname === '/userinfo') return void json(200, { sub: 'someone', ...this.person })
    const order = this.#orderFor(new URLSearchParams(await textOf(request)), request.headers.authorization)
    if (order === undefined) return void json(400, { error: 'invalid_grant' })
    json(200, { access_token: randomUUID(), token_type: 'Bearer', id_token: this.#identityToken(order) })
  }

  #metadata(): object {
    const at = (path: string) => `${this.issuer}${path}`
    return {
      issuer: this.issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      userinfo_endpoint: at('/userinfo'),
      jwks_uri: at('/keys'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      ...(this.wantsForm && { token_endpoint_auth_methods_supported: ['client_secret_post'] }),
    }
  }

  #publicKey(): object {
    return { ...this.#key.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }
  }

  #authorize(asked: URLSearchParams): string {
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('state', asked.get('state') ?? '')
    const isRight = asked.get('client_id') === client.id && asked.get('code_challenge_method') === 'S256'
    if (this.isStrict || !isRight) back.searchParams.set('error', 'access_denied')
    else back.searchParams.set('code', this.#newCode(asked))
    return back.href
  }

  #newCode(asked: URLSearchParams): string {
    const code = randomUUID()
    this.#orders.set(code, {
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      redirectUri: asked.get('redirect_uri') ?? '',
      person: this.person,
    })
    return code
  }

  #orderFor(form: URLSearchParams, authorization: string | undefined): Order | undefined {
    const code = form.get('code') ?? ''
    const order = this.#orders.get(code)
    if (!this.isForgetful) this.#orders.delete(code)
    const secret = encodeURIComponent(client.secret).replaceAll('%20', '+')
    const basic = `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`
    const isClient = this.wantsForm ? form.get('client_secret') === client.secret : authorization === basic
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = order?.challenge === challenge && order.redirectUri === form.get('redirect_uri')
    return isClient && isRight ? order : undefined
  }

  #identityToken({ nonce, person }: Order): string {
    const iat = Math.floor(Date.now() / 1000)
    const about = this.isDiscreet ? {} : person
    const claims = {
      iss: this.issuer,
      aud: client.id,
      sub: 'someone',
      iat,
      exp: iat + 60,
      nonce,
      ...about,
      ...this.lies,
    }
    const text = `${encoded({ alg: 'RS256', kid: 'one' })}.${encoded(claims)}`
    const key: KeyObject = (this.isForged ? this.#stranger : this.#key).privateKey
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
