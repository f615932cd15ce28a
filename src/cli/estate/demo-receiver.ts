import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { commandLine } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { SendWebhook } from '../../domain/webhook/webhook.ts'
import { signatureHeaders } from '../../domain/webhook/webhook-signature.ts'
import { changeWebhook, createWebhook, findWebhooks, rotateWebhook } from '../../operations/webhook/webhook.ts'
import type { Db } from '../../storage/database.ts'

// Loaded without `import`, which would also load Node's fetch client: see http/adapters/http-module.ts.
const { createServer } = process.getBuiltinModule('node:http')

export interface DemoLog {
  send: SendWebhook
  log(members: object, message: string): void
}

const owner = { partner: 'vesta-tv', actor: commandLine }
const path = '/atrium-demo'

/**
 * Starts a server in this process that receives the demo's webhook and logs its events. Its port differs at each start,
 * so a later start changes the webhook's URL.
 */
export async function startDemoReceiver(db: Db, { send, log }: DemoLog, isNew: boolean): Promise<void> {
  const known = isNew ? undefined : (await findWebhooks(db, owner.partner)).find(({ url }) => url.endsWith(path))
  if (!isNew && known === undefined) return
  let secret = ''
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    // The ping at the webhook's creation arrives before its secret is known, so it is accepted without verification.
    const isGenuine = secret !== '' && isSigned(request, body, secret)
    if (isGenuine) logEvent(JSON.parse(body.toString()), log)
    response.writeHead(isGenuine || secret === '' ? 204 : 401).end()
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  try {
    secret = await webhookSecret(db, send, url, known?.id)
  } catch (error) {
    // A Refusal means that the operator's settings forbid webhooks to this machine: the demo runs without one.
    if (!(error instanceof Refusal)) throw error
    server.close()
  }
}

async function webhookSecret(db: Db, send: SendWebhook, url: string, id: string | undefined): Promise<string> {
  if (id === undefined) return (await createWebhook(db, owner, { url, types: '*', own: true }, send)).secret
  await changeWebhook(db, owner, id, { change: { url }, expect: () => {}, send })
  return (await rotateWebhook(db, owner, id, 0)).secret
}

function logEvent({ type, area }: { type: string; area?: string }, log: DemoLog['log']): void {
  log({ partner: owner.partner, type, ...(area && { area }) }, 'the demo webhook received an event')
}

function isSigned({ headers }: IncomingMessage, body: Buffer, secret: string): boolean {
  const atMs = Number(headers['webhook-timestamp']) * 1000
  const message = { id: String(headers['webhook-id']), body: body.toString() }
  const expected = Buffer.from(signatureHeaders(message, [secret], atMs)['webhook-signature'] ?? '')
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}
