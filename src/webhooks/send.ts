import type { IncomingMessage } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import type { DeliveryResult, SendWebhook, WebhookRequest } from '../domain/webhook/webhook.ts'
import { AddressRefused, asTheMachineDoes, demandReachable, lookupWithin, type Resolve, reach } from './address.ts'
import { connectThrough, type OutboundProxy, ProxyFailed, proxyTarget } from './proxy.ts'

// Imported, it would load the client behind `fetch` at every start: see http/node-http.ts.
const { request: requestInTheClear } = process.getBuiltinModule('node:http')

/** Of a response that accepts the message the body is read to be polite, and discarded. */
const readAtMostBytes = 65_536
/** Of any other the beginning is kept, to show why. */
const keptAtMostBytes = 1024
const readWithinMs = 5000

interface Answer {
  status: number
  retryAfterSeconds: number | undefined
  response: string | null
}

/** Sends to public addresses and into the ranges that the operator has opened. Follows no redirect. */
export function sender(
  allowedRanges: readonly string[],
  agent: string,
  resolve = asTheMachineDoes,
  proxy: OutboundProxy | null = null,
): SendWebhook {
  return async (parcel, { timeoutMs: withinMs, signal }) => {
    const startMs = performance.now()
    const ending = new AbortController()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      ending.abort()
    }, withinMs)
    const stop = () => ending.abort()
    signal?.addEventListener('abort', stop)
    const receipt = (found: Partial<Answer>, error: string | null): DeliveryResult => ({
      status: found.status ?? null,
      durationMs: Math.round(performance.now() - startMs),
      error,
      response: found.response ?? null,
      retryAfterSeconds: found.retryAfterSeconds,
    })
    try {
      const answer = await post(parcel, { allowedRanges, agent, resolve, proxy, signal: ending.signal })
      return receipt(answer, isAccepted(answer.status) ? null : `answered ${answer.status}`)
    } catch (error) {
      return receipt({}, isLate ? `no answer within ${withinMs / 1000} s` : words(error))
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
}

interface Manner {
  allowedRanges: readonly string[]
  agent: string
  resolve: Resolve
  proxy: OutboundProxy | null
  signal: AbortSignal
}

async function post(
  { url, headers, body }: WebhookRequest,
  { allowedRanges, agent, resolve, proxy, signal }: Manner,
): Promise<Answer> {
  const target = new URL(url)
  const { hostname } = target
  const isEncrypted = target.protocol === 'https:'
  const mayReach = reach(allowedRanges, isEncrypted)
  demandReachable(hostname, mayReach)
  // What goes in the clear goes into networks of the operator's own, which need no proxy.
  const asked =
    proxy && isEncrypted ? await untilAborted(proxyTarget(target, proxy, mayReach, resolve), signal) : undefined
  const through = asked && proxy ? await connectThrough(proxy, asked, hostname, signal) : undefined
  const options = {
    method: 'POST',
    // A connection for each: one that is kept was not looked up for this parcel.
    ...(through
      ? { createConnection: () => through }
      : { agent: false as const, lookup: lookupWithin(mayReach, resolve) }),
    signal,
    headers: {
      connection: 'close',
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': agent,
    },
  }
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const failed = (error: Error) => isAnswered || reject(error)
    const sent = (isEncrypted ? requestEncrypted : requestInTheClear)(url, options, (response) => {
      const { statusCode: status = 0, headers } = response
      const answer = { status, retryAfterSeconds: secondsIn(headers['retry-after']) }
      isAnswered = true
      if (!isAccepted(status)) return void beginningOf(response).then((text) => resolve({ ...answer, response: text }))
      discard(response)
      resolve({ ...answer, response: null })
    })
    sent.on('error', failed)
    // Node closes a connection that the receiver wants to speak something else on, and calls that no error.
    sent.on('close', () => failed(new Error('closed without a response')))
    sent.end(body)
  })
}

/** A look-up of a name cannot be cancelled. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
    if (signal.aborted) reject(signal.reason)
  })
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300
}

/** Resolves with the beginning of the body, also when the rest does not come; null where it has no text. */
function beginningOf(response: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), readWithinMs)
    response.on('error', () => {})
    response.on('data', (chunk: Buffer) => {
      parts.push(chunk)
      bytes += chunk.length
      if (bytes >= keptAtMostBytes) response.destroy()
    })
    response.on('close', () => {
      clearTimeout(timer)
      const isPlain = (response.headers['content-encoding'] ?? 'identity') === 'identity'
      resolve(isPlain ? textIn(Buffer.concat(parts).subarray(0, keptAtMostBytes)) : null)
    })
  })
}

/** As text that can be stored and shown: without control characters, and without what was cut in two. */
function textIn(bytes: Buffer): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  const text = bytes.toString('utf8').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  return text.replace(/\ufffd+$/, '').trim() || null
}

function discard(response: IncomingMessage): void {
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), readWithinMs)
  response.on('close', () => clearTimeout(timer))
  response.on('error', () => {})
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > readAtMostBytes) response.destroy()
  })
}

/** A number of seconds, or a date. */
function secondsIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return seconds >= 0 ? seconds : undefined
}

const known: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'nobody answered',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** In our own words: what a library says may hold what a receiver sent. */
function words(error: unknown): string {
  if (error instanceof AddressRefused || error instanceof ProxyFailed) return error.message
  return known[String((error as NodeJS.ErrnoException).code)] ?? 'it could not be sent'
}
