import { nextPage } from './next-page.ts'
import { type Pace, retryAfterMs } from './pace.ts'
import { readJson } from './read-body.ts'
import { RemoteFailure, RemoteRefusal } from './remote-failure.ts'

interface RemoteOptions {
  /** The address of the installation, without `/v1` and without a slash at its end. */
  baseUrl: string
  token: string
  /** The name of the token in messages, such as `token 2`. */
  name: string
  pace: Pace
  signal: AbortSignal
  /** The timeout of one request, including the time to read its body. */
  timeoutMs: number
  maxBytes: number
  /** The wait before the second attempt, in milliseconds. Doubles before each further attempt. */
  backoffMs: number
}

export interface RemoteResponse {
  status: number
  /** The parsed body of a response `200`; undefined for all other statuses. */
  json: unknown
  etag: string | undefined
  /** The address of the next page, if the response is a page of a list and not its last one. */
  next: string | undefined
}

export interface Reader {
  name: string
  /** `target` is a path, such as `/v1/facilities/`, or the address of a page. */
  get(target: string): Promise<RemoteResponse>
}

/**
 * Requests a route that is an extension of the specification. An installation that lacks it may refuse the request with
 * any status: all of these become `404`.
 */
export async function getExtension(reader: Reader, path: string): Promise<RemoteResponse> {
  try {
    return await reader.get(path)
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error
    return { status: 404, json: undefined, etag: undefined, next: undefined }
  }
}

const maxAttempts = 5
/** How often one request waits after `429` or `503`. These waits do not count as attempts. */
const maxPauses = 20
const maxRedirects = 5

export class Remote implements Reader {
  readonly name: string
  readonly #options: RemoteOptions
  requestCount = 0

  constructor(options: RemoteOptions) {
    this.name = options.name
    this.#options = options
  }

  /**
   * Retries temporary failures. Throws RemoteFailure for all statuses but `200`, `304`, `403`, `404`, and for addresses
   * outside the installation, where tokens are not sent.
   */
  async get(target: string, etag?: string): Promise<RemoteResponse> {
    let pauses = 0
    for (let attempt = 1; ; ) {
      try {
        return await this.#attempt(target, etag)
      } catch (error) {
        this.#options.signal.throwIfAborted()
        if (!(error instanceof RemoteFailure) || error instanceof RemoteRefusal) throw error
        if (error instanceof AskedToWait) {
          if (++pauses > maxPauses || !(await this.#pause(error))) throw error.final()
        } else {
          if (attempt === maxAttempts) throw error
          await this.#options.pace.wait(this.#options.backoffMs * 2 ** (attempt++ - 1))
        }
      }
    }
  }

  async #pause({ status, message, ms }: AskedToWait): Promise<boolean> {
    if (status === 429) this.#options.pace.slowDown()
    return this.#options.pace.pause(message, ms ?? this.#options.backoffMs * 4)
  }

  async #attempt(target: string, etag: string | undefined): Promise<RemoteResponse> {
    const what = `GET ${target}`
    const response = await this.#fetch(target, etag)
    const { status, headers } = response
    try {
      if (status === 200 || status === 403 || status === 404 || (status === 304 && etag !== undefined)) {
        const json = status === 200 ? await readJson(response, what, this.#options.maxBytes) : undefined
        const next = nextPage(headers.get('link'), response.url)
        return { status, json, etag: headers.get('etag') ?? undefined, next }
      }
    } catch (error) {
      throw error instanceof RemoteFailure ? error : noResponse(what, error)
    } finally {
      if (!response.bodyUsed) await response.body?.cancel()
    }
    if (status === 401) throw new RemoteRefusal(`${what}: ${this.name} is not accepted (401)`)
    if (status === 429 || status === 503) {
      throw new AskedToWait(`${what}: status ${status}`, status, retryAfterMs(headers.get('retry-after'), Date.now()))
    }
    if (status >= 500) throw new RemoteFailure(`${what}: status ${status}`)
    throw new RemoteRefusal(`${what}: unexpected status ${status}; check that the address is that of the API`)
  }

  /** Follows redirects only within the same origin: `fetch` itself would follow them to any host. */
  async #fetch(target: string, etag: string | undefined): Promise<Response> {
    const { token, pace, signal, timeoutMs } = this.#options
    let url = this.#address(target)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      await pace.turn()
      this.requestCount++
      const response = await fetch(url, {
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(etag !== undefined && { 'if-none-match': etag }),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }).catch((error) => {
        throw noResponse(`GET ${target}`, error)
      })
      const location = response.headers.get('location')
      if (response.status < 301 || response.status > 308 || response.status === 304 || location === null)
        return response
      await response.body?.cancel()
      const redirected = URL.parse(location, url.href)
      if (redirected?.origin !== url.origin) throw leavesOrigin(target, redirected)
      url = redirected
    }
    throw new RemoteRefusal(`GET ${target}: more than ${maxRedirects} redirects`)
  }

  #address(target: string): URL {
    const { baseUrl } = this.#options
    const url = URL.parse(target.startsWith('/') ? baseUrl + target : target)
    if (url?.href.startsWith(`${baseUrl}/v1/`)) return url
    throw new RemoteRefusal(
      `GET ${target}: this next page is outside ${baseUrl}/v1/, and tokens are not sent there; if that is right, name it as the address`,
    )
  }
}

class AskedToWait extends RemoteFailure {
  readonly status: number
  readonly ms: number | undefined

  constructor(message: string, status: number, ms: number | undefined) {
    super(message)
    this.status = status
    this.ms = ms
  }

  final(): RemoteRefusal {
    const wait = this.ms === undefined ? '' : `, which asks to wait ${Math.ceil(this.ms / 1000)} s`
    return new RemoteRefusal(`${this.message}${wait}: run the command again later, perhaps with a lower --rate`)
  }
}

function leavesOrigin(target: string, redirected: URL | null): RemoteRefusal {
  const where = redirected === null ? 'to an invalid address' : `to ${redirected.origin}`
  return new RemoteRefusal(
    `GET ${target}: it redirects ${where}, where tokens are not sent; if that is right, name it as the address`,
  )
}

function noResponse(what: string, error: unknown): RemoteFailure {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return new RemoteFailure(`${what}: no complete response in time; --timeout allows more`)
  const code = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message
  return new RemoteFailure(`${what}: no response (${code}); check the address`)
}
