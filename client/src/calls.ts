import { noteEtag } from './etag.ts'
import { Problem, Unreachable } from './problem.ts'
import { Retry, sleep } from './retry.ts'
import type { Settings } from './settings.ts'
import { Slots } from './slots.ts'

export interface CallOptions {
  /** Ends the call, and the waiting between its tries. */
  signal?: AbortSignal | undefined
}

export interface ChangeOptions extends CallOptions {
  /** Change it only where it is still this version: see `etagOf`. */
  ifMatch?: string | undefined
}

export interface RoomOptions extends ChangeOptions {
  /** Change it only while this cycle lasts: a late call never reaches the next guest. */
  cycle?: string | null | undefined
  /** Made by the client itself where it is not given. Only for calls that add or open something. */
  idempotencyKey?: string | undefined
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Behind `/v1`. */
  path: string
  body?: unknown
  options?: RoomOptions | undefined
  /** Carried out twice, it does what it did once. */
  isRepeatable: boolean
}

export interface Answer<T> {
  body: T
  headers: Headers
}

const defaults = { tries: 5, timeoutMs: 30_000, maxConcurrency: 8 }

/** Sends calls, and sends them again where that can help and do no harm. */
export class Calls {
  readonly #settings: Settings & typeof defaults
  readonly #base: string
  readonly #slots: Slots

  constructor(settings: Settings) {
    this.#settings = { ...defaults, ...settings }
    this.#base = `${settings.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`
    this.#slots = new Slots(this.#settings.maxConcurrency)
  }

  async body<T>(call: Call): Promise<T> {
    return (await this.answer<T>(call)).body
  }

  /** How long one try may take. */
  get timeoutMs(): number {
    return this.#settings.timeoutMs
  }

  /** Sent once: whoever calls tries again in a way of its own. */
  async once<T>(call: Call): Promise<T> {
    return (await this.#once<T>(call)).body
  }

  /** A call that waits to be sent again keeps its slot, so that a refused burst does not come back as one. */
  async answer<T>(call: Call): Promise<Answer<T>> {
    return this.#slots.run(() => this.#withRetries<T>(call), call.options?.signal)
  }

  async #withRetries<T>(call: Call): Promise<Answer<T>> {
    const signal = call.options?.signal
    const retry = new Retry(this.#settings.tries, call.isRepeatable)
    for (;;) {
      try {
        return await this.#once<T>(call)
      } catch (failure) {
        const pauseMs = retry.pauseAfter(failure)
        if (pauseMs === undefined || signal?.aborted) throw failure
        await sleep(pauseMs, signal)
      }
    }
  }

  async #once<T>({ method, path, body, options = {} }: Call): Promise<Answer<T>> {
    const { fetch: send = fetch, token, timeoutMs } = this.#settings
    const headers = headersOf(options, typeof token === 'function' ? await token() : token, body)
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])])
    const request = { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const address = this.#base + path
    const { response, text } = await send(address, request)
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((cause) => {
        if (options.signal?.aborted) throw cause
        throw new Unreachable(`${method} ${address} was not answered (${cause?.message ?? cause})`, { cause })
      })
    const answered = parsed(text)
    if (!response.ok) throw new Problem(response.status, answered ?? {}, response.headers)
    noteEtag(answered, response.headers.get('etag'))
    return { body: answered as T, headers: response.headers }
  }
}

function headersOf(options: RoomOptions, token: string, body: unknown): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(options.ifMatch && { 'if-match': options.ifMatch }),
    ...(options.cycle && { 'atrium-cycle': options.cycle }),
    ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
  }
}

/** Proxies on the way answer pages now and then. */
function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
