import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RoomOracle } from './room-oracle.ts'

test('a call with a key may hold operations that are no objects', () => {
  const request = { method: 'POST', path: '/v1/facilities/f/areas/bulk', isKeyed: true }
  const answer = { status: 200, headers: new Map<string, string>(), body: '{"results":[{"status":400}]}' }
  for (const operation of ['[]', '7', '"text"', 'null', '{}']) {
    const body = `{"mode":"each","operations":[${operation}]}`
    assert.equal(new RoomOracle().judge({ ...request, body }, answer), undefined)
  }
})
