import type { Worker } from 'node:worker_threads'

/**
 * Calls `onTimeout` when a thread has worked for about `timeoutMs`: the first half as elapsed time, the second as CPU
 * time, since on an overloaded machine a job can be late without being slow. Returns a function that cancels it.
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

async function cpuTimeMs(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return undefined
  }
}
