// Loaded into the server with --import: records every block of its event loop.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const everyMs = 2
const longMs = 5

if (isMainThread && process.argv[2] === 'serve') {
  let before = now()
  setInterval(() => {
    const { wallMs, workMs } = now()
    // A stretch cannot be longer than the time that passed, nor than the processor's time that this thread took:
    // what other programs took from it is not its own.
    const blockMs = Math.min(wallMs - before.wallMs, workMs - before.workMs)
    if (blockMs >= longMs) appendFileSync(process.env.ATRIUM_TEST_PROBE, `${blockMs.toFixed(2)}\n`)
    before = now()
  }, everyMs).unref()
}

function now() {
  const { user, system } = process.threadCpuUsage()
  return { wallMs: performance.now(), workMs: (user + system) / 1000 }
}
