import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import pg from 'pg'
import { startAtrium } from '../harness/atrium.ts'

const body = { value: '[{"code":"tv"}]' }
const path = '/v1/areas/chu-nord-215'

/** Counts the round trips of the writing transaction of a request; statements sent in one write count as one. */
async function roundTripsOf(write: () => Promise<unknown>): Promise<number> {
  const spy = mock.method(pg.Client.prototype, 'query')
  await write()
  spy.mock.restore()
  const sent = spy.mock.calls.map((call) => {
    const [query] = call.arguments as unknown as [{ queries?: { statement: { text: string } }[] } | string]
    const texts = typeof query === 'string' ? [query] : (query.queries ?? []).map(({ statement }) => statement.text)
    return { connection: call.this, texts }
  })
  const locking = sent.find(({ texts }) => texts.some((text) => /from area where .* for update/.test(text)))
  const own = sent.filter(({ connection }) => connection === locking?.connection)
  const locked = own.indexOf(locking as (typeof own)[number])
  const first = own.findLastIndex(({ texts }, index) => index <= locked && texts.includes('begin'))
  const last = own.findIndex(({ texts }, index) => index >= locked && texts.includes('commit'))
  assert.ok(first !== -1 && last !== -1)
  return last - first + 1
}

test('a write takes two round trips, with an Idempotency-Key too', async () => {
  const atrium = await startAtrium('postgres', { seeded: true })
  const post = (to: string, key?: string, sent?: object) => async () => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const { status } = await atrium.ask(`POST ${to}`, { as: 'everything', headers, ...(sent && { body: sent }) })
    assert.equal(status, 200)
  }
  try {
    // Loads what the node caches.
    await post(`${path}/data_services`, undefined, body)()
    assert.equal(await roundTripsOf(post(`${path}/data_services`, undefined, body)), 2)
    assert.equal(await roundTripsOf(post(`${path}/data_services`, 'first', body)), 2)
    assert.equal(await roundTripsOf(post(`${path}/data_services`, 'first', body)), 2)
    assert.equal(await roundTripsOf(post(path, 'second')), 2)
  } finally {
    await atrium.stop()
  }
})
