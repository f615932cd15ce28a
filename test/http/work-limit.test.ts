import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { limitWork } from '../../src/http/threads/work-limit.ts'

const limitMs = 200

/** What a thread does that is busy, or kept from its work, until there are as many as `ms` more on the clock. */
const script = `
  const { parentPort, workerData: { isBusy, ms } } = require('node:worker_threads')
  parentPort.postMessage('begun')
  const endMs = performance.now() + ms
  if (isBusy) while (performance.now() < endMs) {}
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  parentPort.postMessage('done')
`

/** What comes first: that it is done, or that it is overdue. */
async function endOf(workerData: { isBusy: boolean; ms: number }): Promise<string> {
  const worker = new Worker(script, { eval: true, workerData })
  await once(worker, 'message')
  const overdue = Promise.withResolvers<string>()
  const lift = limitWork(worker, limitMs, () => overdue.resolve('overdue'))
  try {
    return await Promise.race([overdue.promise, once(worker, 'message').then(([said]) => said)])
  } finally {
    lift()
    await worker.terminate()
  }
}

describe('the limit of what a thread works', () => {
  test('ends one that is busy without end', async () => {
    assert.equal(await endOf({ isBusy: true, ms: 60_000 }), 'overdue')
  })

  test('does not count what it was kept from working', async () => {
    assert.equal(await endOf({ isBusy: false, ms: 5 * limitMs }), 'done')
  })
})
