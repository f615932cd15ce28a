import type { Worker } from 'node:worker_threads'

/**
 * Calls `onTimeout` once a worker thread has been busy with its present job for about `timeoutMs`. The first half is
 * real time, after which the thread's CPU time is read; the second half is CPU time, because on an overloaded machine a
 * job can be late without being slow. Returns a function that cancels the limit.
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

/** Returns undefined when the thread has ended. */
async function cpuTimeMs(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return undefined
  }
}
