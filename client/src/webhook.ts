import type { Event } from './schema.ts'

/** Sent when an address is to be kept, and whenever somebody wants to see whether messages arrive. */
export interface WebhookPing {
  id: string
  type: 'webhook.ping'
  occurred_at: string
  data: { webhook: string }
}

export type WebhookMessage = Event | WebhookPing

/** As a `Request` has them, or Node's own server. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

export type WebhookFault =
  | 'header_missing'
  | 'header_invalid'
  | 'too_old'
  | 'too_new'
  | 'signature_wrong'
  | 'body_invalid'

/** A message that is not to be believed. Answer it with 401 and do nothing. */
export class UnverifiedWebhook extends Error {
  override readonly name = 'UnverifiedWebhook'
  /** A stable word. The list can grow: have a branch for the others. */
  readonly reason: WebhookFault | (string & {})

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

const prefix = 'whsec_'
const toleranceSeconds = 300

/**
 * What a webhook has brought, once its signature and its time are right (Standard Webhooks). The body is wanted as it came,
 * before anything has parsed it. While a secret is being rotated, give the old one and the new one.
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
  demandRecent(Number(timestamp))
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
    // Not what is shown when a webhook is made.
  }
  throw new TypeError('A secret is whsec_ and base64 behind it, as it was shown when the webhook was made.')
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

/** A message that somebody has caught cannot be sent again later. */
function demandRecent(timestamp: number): void {
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

/** Takes as long wherever the difference is, so that nobody can find a signature piece by piece. */
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
    // It is signed and yet no event.
  }
  throw new UnverifiedWebhook('body_invalid', 'The body is no event.')
}
