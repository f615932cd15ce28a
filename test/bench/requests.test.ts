import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { headAndBody } from '../../bench/driver/split.ts'
import { benchEstate } from '../../bench/estate/shape.ts'
import { askAtrium, askingIn } from '../../bench/requests.ts'

const place = { facility: 1, area: 2, partner: 0, turn: 3 }
const asking = askAtrium(benchEstate(0.1), ['token'])

describe('the requests of the benchmark', () => {
  test('take the general path by one header more', () => {
    const [usual, general] = [asking, askingIn('general', asking)].map((one) => one.requestFor('W1', place))
    assert.deepEqual(general, { ...usual, headers: { ...usual?.headers, te: 'trailers' } })
    assert.equal(askingIn('general', asking).requestFor('MIX', place), undefined)
  })

  test('of W5 are those of W2, each with a key of its own', () => {
    const [plain, first, second] = (['W2', 'W5', 'W5'] as const).map((work) => asking.requestFor(work, place))
    const { 'idempotency-key': key, ...headers } = first?.headers ?? {}
    assert.deepEqual({ ...first, headers }, plain)
    assert.notEqual(key, second?.headers['idempotency-key'])
  })

  test('are split before their body', () => {
    const parts = headAndBody(Buffer.from('PATCH / HTTP/1.1\r\nhost: a\r\n\r\n{"a":"\r\n\r\n"}'))
    assert.deepEqual(parts.map(String), ['PATCH / HTTP/1.1\r\nhost: a\r\n\r\n', '{"a":"\r\n\r\n"}'])
    assert.deepEqual(headAndBody(Buffer.from('GET / HTTP/1.1\r\n\r\n')).map(String), ['GET / HTTP/1.1\r\n\r\n', ''])
  })
})
