import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Db } from '../../src/storage/database.ts'
import { type Answered, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { type Received, type Receiver, startReceiver } from '../harness/receiver.ts'
import { allSettled } from '../harness/settled.ts'

export const keeper = {
  id: 'keeper',
  name: 'Keeps webhooks',
  webhooks: true,
  grants: [{ facilities: ['chu-nord'], read: '*', write: '*', rooms: '*' }],
}
const partners = [...estate.partners, keeper, { ...keeper, id: 'other-keeper' }]
const settings = { ATRIUM_WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' }

/** A partner with webhooks, and a receiver. */
export interface WebhookFixture {
  atrium(): TestAtrium
  receiver(): Receiver
  db(): Db
  ask(request: string, body?: unknown, as?: string, headers?: Record<string, string>): Promise<Answered>
  add(path: string, more?: object, as?: string): Promise<{ webhook: { id: string }; secret: string }>
  /** Changes a facility that the partner sees, as another partner. */
  rename(name: string): Promise<Answered>
  /** Resolves when a path has received exactly these names in this order. A message may arrive twice. */
  until(path: string, ...wanted: string[]): Promise<Received[]>
  /** Polls until the webhook is as expected. */
  eventually(id: string, wanted: (webhook: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  /** Resolves when so many deliveries are logged, which happens after the receiver has them. */
  logged(id: string, count: number): Promise<void>
}

export function onEachEngineWithWebhooks(title: string, suite: (fixture: WebhookFixture) => void): void {
  onEachEngine(title, { estate: { ...estate, partners }, settings }, (atrium) => {
    let receiver: Receiver
    before(async () => {
      receiver = await startReceiver()
      // The events of creating the estate must be below the stable offset, which others on the same server can delay.
      await allSettled(atrium().service.db)
    })
    after(() => receiver[Symbol.asyncDispose]())
    const ask: WebhookFixture['ask'] = (request, body, as = 'keeper', headers = {}) =>
      atrium().ask(request, { as, body, headers })
    suite({
      atrium,
      receiver: () => receiver,
      db: () => atrium().service.db,
      ask,
      add: async (path, more = {}, as = 'keeper') => {
        const settings = { url: receiver.url + path, types: '*', ...more }
        const { status, body, text } = await ask('POST /v1/webhooks', settings, as)
        assert.equal(status, 200, text)
        return body
      },
      rename: (name) => ask('PATCH /v1/facilities/chu-nord/name', { value: name }, 'everything'),
      until: (path, ...wanted) =>
        receiver.until(
          path,
          (all) =>
            distinct(all)
              .map(({ body }) => body.data.new)
              .join() === wanted.join(),
        ),
      eventually: async (id, wanted) => {
        for (;;) {
          const { body } = await ask(`GET /v1/webhooks/${id}`)
          if (wanted(body)) return body
          await new Promise(setImmediate)
        }
      },
      logged: async (id, count) => {
        while ((await ask(`GET /v1/webhooks/${id}/deliveries`)).body.length < count) await new Promise(setImmediate)
      },
    })
  })
}

/** Returns each message once, in the order of first arrival. */
export function distinct(received: Received[]): Received[] {
  const ids = received.map(({ headers }) => headers['webhook-id'])
  return received.filter((_, at) => ids.indexOf(ids[at]) === at)
}

/** Returns how often a message arrived. */
export function timesOf(received: Received[], one: Received | undefined): number {
  return received.filter(({ headers }) => headers['webhook-id'] === one?.headers['webhook-id']).length
}
