import type { IncomingMessage } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import type { DeliveryResult, SendWebhook, WebhookRequest } from '../domain/webhook/webhook.ts'
import {
  AddressRefused,
  addressFilter,
  assertReachable,
  guardedLookup,
  type Resolve,
  systemResolve,
} from './address.ts'
import { connectThrough, type OutboundProxy, ProxyFailed, proxyTarget } from './proxy.ts'

// Loaded without `import`, which would also load Node's fetch client: see http/adapters/http-module.ts.
const { request: requestInTheClear } = process.getBuiltinModule('node:http')

/** The most bytes read and discarded of a 2xx response: closing a socket with unread bytes would reset it. */
const maxDiscardedBytes = 65_536
/** The maximum number of bytes that are stored of any other response, for operators who look for the cause. */
const maxStoredBytes = 1024
const bodyTimeoutMs = 5000

interface Response {
  status: number
  retryAfterSeconds: number | undefined
  response: string | null
}

/** Sends only to public addresses and allowed ranges. Redirects are not followed. */
export function sender(
  allowedRanges: readonly string[],
  agent: string,
  resolve = systemResolve,
  proxy: OutboundProxy | null = null,
): SendWebhook {
  return async (message, { timeoutMs, signal }) => {
    const startMs = performance.now()
    const timeout = AbortSignal.timeout(timeoutMs)
    const both = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const result = (received: Partial<Response>, error: string | null): DeliveryResult => ({
      status: received.status ?? null,
      durationMs: Math.round(performance.now() - startMs),
      error,
      response: received.response ?? null,
      retryAfterSeconds: received.retryAfterSeconds,
    })
    try {
      const response = await post(message, { allowedRanges, agent, resolve, proxy, signal: both })
      return result(response, isAccepted(response.status) ? null : `response status ${response.status}`)
    } catch (error) {
      return result({}, timeout.aborted ? `no response within ${timeoutMs / 1000} s` : messageFor(error))
    }
  }
}

interface PostOptions {
  allowedRanges: readonly string[]
  agent: string
  resolve: Resolve
  proxy: OutboundProxy | null
  signal: AbortSignal
}

async function post(
  { url, headers, body }: WebhookRequest,
  { allowedRanges, agent, resolve, proxy, signal }: PostOptions,
): Promise<Response> {
  const target = new URL(url)
  const { hostname } = target
  const isEncrypted = target.protocol === 'https:'
  const isReachable = addressFilter(allowedRanges, isEncrypted)
  assertReachable(hostname, isReachable)
  // Messages without TLS go only to the ranges of the operator's own network, which are reached without a proxy.
  const tunnelTarget =
    proxy && isEncrypted ? await untilAborted(proxyTarget(target, proxy, isReachable, resolve), signal) : undefined
  const through = tunnelTarget && proxy ? await connectThrough(proxy, tunnelTarget, hostname, signal) : undefined
  const options = {
    method: 'POST',
    // Opens a new connection for each message, because the receiver's address is checked only while connecting.
    ...(through
      ? { createConnection: () => through }
      : { agent: false as const, lookup: guardedLookup(isReachable, resolve) }),
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
    let hasResponse = false
    const failed = (error: Error) => hasResponse || reject(error)
    const sent = (isEncrypted ? requestEncrypted : requestInTheClear)(url, options, (response) => {
      const { statusCode: status = 0, headers } = response
      const head = { status, retryAfterSeconds: secondsIn(headers['retry-after']) }
      hasResponse = true
      const body = read(response, isAccepted(status) ? maxDiscardedBytes : maxStoredBytes)
      if (isAccepted(status)) resolve({ ...head, response: null })
      else void body.then((bytes) => resolve({ ...head, response: textIn(response, bytes) }))
    })
    sent.on('error', failed)
    // After a protocol upgrade (101), Node closes without an 'error' event: the promise would stay pending.
    sent.on('close', () => failed(new Error('closed without a response')))
    sent.end(body)
  })
}

/** Rejects when the signal is aborted, although the DNS lookup itself cannot be cancelled and continues. */
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

/** Reads a body up to `maxBytes`. Resolves after `bodyTimeoutMs` even if the rest of the body never arrives. */
function read(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), bodyTimeoutMs)
  response.on('error', () => {})
  response.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) response.destroy()
  })
  return new Promise((resolve) =>
    response.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(parts).subarray(0, maxBytes))
    }),
  )
}

/** Returns the text of a body, without control characters and without a last character that was cut off. */
function textIn({ headers }: IncomingMessage, bytes: Buffer): string | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  const text = bytes.toString('utf8').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  return text.replace(/\ufffd+$/, '').trim() || null
}

/** `Retry-After` holds a number of seconds or a date. */
function secondsIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return seconds >= 0 ? seconds : undefined
}

const messages: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Returns one of Atrium's own messages, because a library's message may quote what the receiver sent. */
function messageFor(error: unknown): string {
  if (error instanceof AddressRefused || error instanceof ProxyFailed) return error.message
  return messages[String((error as NodeJS.ErrnoException).code)] ?? 'it could not be sent'
}
