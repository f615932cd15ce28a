import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fill, type Place } from '../../src/cli/workers/place.ts'

const { execPath } = process

// As while another version is put in its place.
before(() => {
  process.execPath = '/nowhere/node'
})
after(() => {
  process.execPath = execPath
})

test('a worker that cannot be started has ended, and says why', async () => {
  const place: Place = fill({}, {}, { listeners: [], write: () => true })
  assert.equal(await place.ended, 'it could not be started: ENOENT')
  await assert.rejects(place.ready, /ended before it was ready \(it could not be started: ENOENT\)/)
})
