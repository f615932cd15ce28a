import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startWorker, type WorkerSlot } from '../../src/cli/workers/worker-slot.ts'

const { execPath } = process

// Simulates an upgrade that replaces the Node binary while the service runs.
before(() => {
  process.execPath = '/nowhere/node'
})
after(() => {
  process.execPath = execPath
})

test('a worker that cannot be spawned ends with its reason', async () => {
  const slot: WorkerSlot = startWorker({}, {}, { listeners: [], write: () => true })
  assert.equal(await slot.ended, 'it could not be started: ENOENT')
  await assert.rejects(slot.ready, /ended before it was ready \(it could not be started: ENOENT\)/)
})
