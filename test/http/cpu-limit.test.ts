import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { limitCpuTime } from '../../src/http/threads/cpu-limit.ts'

const timeoutMs = 200

/** Runs in the thread: computes, or blocks without using the CPU, for `ms`. */
const script = `
  const { parentPort, workerData: { isBusy, ms } } = require('node:worker_threads')
  parentPort.postMessage('begun')
  const endMs = performance.now() + ms
  if (isBusy) while (performance.now() < endMs) {}
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  parentPort.postMessage('done')
`

/** Returns whichever comes first: the end of the work or the timeout. */
async function endOf(workerData: { isBusy: boolean; ms: number }): Promise<string> {
  const worker = new Worker(script, { eval: true, workerData })
  await once(worker, 'message')
  const overdue = Promise.withResolvers<string>()
  const cancel = limitCpuTime(worker, timeoutMs, () => overdue.resolve('overdue'))
  try {
    return await Promise.race([overdue.promise, once(worker, 'message').then(([said]) => said)])
  } finally {
    cancel()
    await worker.terminate()
  }
}

describe('the CPU time limit of a worker thread', () => {
  test('ends a thread that computes without end', async () => {
    assert.equal(await endOf({ isBusy: true, ms: 60_000 }), 'overdue')
  })

  test('does not count time without CPU', async () => {
    assert.equal(await endOf({ isBusy: false, ms: 5 * timeoutMs }), 'done')
  })
})
