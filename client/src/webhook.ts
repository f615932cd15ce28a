import type { Event, WebhookPing } from './schema.ts'

export type WebhookMessage = Event | WebhookPing

/** Headers of a `Request` or of a request to Node's HTTP server. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

export type WebhookFault =
  | 'header_missing'
  | 'header_invalid'
  | 'too_old'
  | 'too_new'
  | 'signature_wrong'
  | 'body_invalid'

/** A message that cannot be trusted. Respond with 401 and ignore it. */
export class UnverifiedWebhook extends Error {
  override readonly name = 'UnverifiedWebhook'
  /** Stable code. New ones can be added: handle unknown codes. */
  readonly reason: WebhookFault | (string & {})

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

const prefix = 'whsec_'
const toleranceSeconds = 300

/**
 * Verifies signature and timestamp of a webhook message and returns its event (Standard Webhooks). Pass the raw body,
 * before any parsing. While a secret is being rotated, pass the old and the new one.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<WebhookMessage> {
  const keys = [secret].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('At least one secret is needed, the one that begins with whsec_.')
  const bytes = bytesOf(body)
  const id = header(headers, 'id', /^[^.]+$/)
  const timestamp = header(headers, 'timestamp', /^\d{1,12}$/)
  const signatures = header(headers, 'signature', /^v/).split(' ')
  requireRecent(Number(timestamp))
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const expected = await Promise.all(keys.map((key) => signatureOf(key, signed)))
  if (!expected.some((one) => signatures.some((given) => isSame(one, given)))) {
    throw new UnverifiedWebhook('signature_wrong', 'No signature was made with this secret for this body.')
  }
  return messageIn(bytes)
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    const key = Uint8Array.from(atob(secret.replace(prefix, '')), (character) => character.charCodeAt(0))
    if (key.length > 0) return key
  } catch {
    // Not a secret in the form shown when a webhook is created.
  }
  throw new TypeError('A secret is whsec_ followed by base64, as it was shown when the webhook was created.')
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('The body is wanted as it came, text or bytes: read it before anything parses it.')
}

function header(headers: WebhookHeaders, part: string, form: RegExp): string {
  const name = `webhook-${part}`
  const value = headers instanceof Headers ? headers.get(name) : inObject(headers, name)
  if (!value) throw new UnverifiedWebhook('header_missing', `The header ${name} is missing.`)
  if (form.test(value)) return value
  throw new UnverifiedWebhook('header_invalid', `The header ${name} has not the form it should have.`)
}

function inObject(headers: Record<string, string | readonly string[] | undefined>, name: string): string | undefined {
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name)
  return found && [headers[found]].flat().join(' ')
}

/** Protects against replay: an intercepted message is valid only for a short time. */
function requireRecent(timestamp: number): void {
  const ageSeconds = Math.floor(Date.now() / 1000) - timestamp
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const reason = ageSeconds > 0 ? 'too_old' : 'too_new'
  throw new UnverifiedWebhook(reason, `The message is ${Math.abs(ageSeconds)} s away from the clock of this machine.`)
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

async function signatureOf(secret: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return `v1,${btoa(String.fromCharCode(...made))}`
}

/** Compares in constant time, so that a signature cannot be guessed byte by byte. */
function isSame(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length
  for (let at = 0; at < expected.length; at++) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at)
  return difference === 0
}

function messageIn(bytes: Uint8Array): WebhookMessage {
  try {
    const message = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof message?.type === 'string') return message
  } catch {
    // Signed, but not an event.
  }
  throw new UnverifiedWebhook('body_invalid', 'The body is no event.')
}
