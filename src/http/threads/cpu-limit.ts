import type { Worker } from 'node:worker_threads'

/**
 * Calls `onTimeout` when a worker thread has worked on its current job for about `timeoutMs`. The first half is
 * measured as elapsed time, the second as CPU time of the thread: on an overloaded machine a job can be late without
 * being slow. Returns a function that cancels the timeout.
 */
export function limitCpuTime(worker: Worker, timeoutMs: number, onTimeout: () => void): () => void {
  let isCancelled = false
  const check = async (knownEndMs?: number) => {
    const spentMs = await cpuTimeMs(worker)
    if (isCancelled || spentMs === undefined) return
    const endMs = knownEndMs ?? spentMs + timeoutMs / 2
    if (spentMs >= endMs) onTimeout()
    else timer = setTimeout(check, endMs - spentMs, endMs)
  }
  let timer = setTimeout(check, timeoutMs / 2)
  return () => {
    isCancelled = true
    clearTimeout(timer)
  }
}

/** Returns the CPU time of a thread in milliseconds, undefined if the thread has ended. */
async function cpuTimeMs(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return undefined
  }
}
