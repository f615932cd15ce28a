import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AreaMovedEvent, Atrium, type Event, type WebhookMessage } from '../../client/src/index.ts'

// The compiler checks this file with the others: each wrong use is marked as an error that it must find.

const base = {
  id: 'Zb3kQ0xW9sLr7uTf2VhYpA',
  occurred_at: '2026-11-15T14:02:11.480Z',
  facility: 'f',
  origin: 'other',
} as const
const moved: AreaMovedEvent = { ...base, type: 'area.moved', area: 'f-1', data: { cycle: 'c', from: 'f-1', to: 'f-2' } }

// @ts-expect-error: an event of one type has not the data of another
const mixed: Event = { ...base, type: 'area.opened', area: 'f-1', data: { from: 'f-1', to: 'f-2' } }
// @ts-expect-error: a type that does not exist
const unknown: Event = { ...moved, type: 'area.vanished' }
// @ts-expect-error: a room's event without its room
const placeless: Event = { ...base, type: 'area.opened', data: { cycle: 'c' } }

const isMove = (type: 'area.moved') => type === 'area.moved'

function describe(event: WebhookMessage): string {
  switch (event.type) {
    case 'area.moved':
      // @ts-expect-error: an event about a move has no services
      assert.equal(event.data.services, undefined)
      return `${event.area}: ${event.data.from} to ${event.data.to}`
    case 'services.added':
      // @ts-expect-error: the services are null once the cycle has ended
      assert.equal(event.data.services.length, 1)
      return `${event.data.services?.map(({ code }) => code)}`
    case 'facility.updated':
      // @ts-expect-error: an event about a facility has no room
      assert.equal(event.area, undefined)
      return `${event.data.property}: ${event.data.new}`
    case 'webhook.ping':
      // @ts-expect-error: a ping is about no facility
      assert.equal(event.facility, undefined)
      return event.data.webhook
    default:
      // @ts-expect-error: types that are handled above are not left
      assert.equal(isMove(event.type), false)
      return event.type
  }
}

/** A filter by type leaves only the events of these types. */
async function followed(atrium: Atrium): Promise<string> {
  for await (const event of atrium.events({ types: ['area.opened', 'area.moved'] })) {
    // @ts-expect-error: events of other types do not come
    assert.notEqual(event.type, 'area.closed' satisfies typeof event.type)
    return `${event.type} ${event.area} ${event.data.cycle}`
  }
  return ''
}

test('a filter narrows the events that are followed', async () => {
  const fetch = async (address: string | URL | Request) =>
    Response.json({ data: `${address}`.includes('types=area.opened%2Carea.moved&') ? [] : [moved], next: 'x' })
  const atrium = new Atrium({ baseUrl: 'http://atrium.example', token: 'x', fetch })
  assert.equal(await followed(atrium), 'area.moved f-1 c')
})

test('switch narrows an event to the data of its type', () => {
  const service = { id: 's', code: 'tv', label: null, status: 'active', start: null, end: null }
  const added = { cycle: 'c', ids: ['s'], services: [service] }
  const messages: [WebhookMessage, string][] = [
    [moved, 'f-1: f-1 to f-2'],
    [{ ...base, type: 'services.added', area: 'f-1', data: added }, 'tv'],
    [{ ...base, type: 'facility.updated', data: { property: 'name', old: 'A', new: 'B' } }, 'name: B'],
    [{ id: 'm', type: 'webhook.ping', occurred_at: base.occurred_at, data: { webhook: 'w' } }, 'w'],
    [{ ...base, type: 'facility.created', data: {} }, 'facility.created'],
  ]
  for (const [message, text] of messages) assert.equal(describe(message), text)
})

test('an event keeps the members that it was made with', () => {
  assert.deepEqual([mixed.type, unknown.id, placeless.id], ['area.opened', base.id, base.id])
})
