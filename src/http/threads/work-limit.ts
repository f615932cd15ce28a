import type { Worker } from 'node:worker_threads'

/**
 * Calls when a thread has been busy for so long with what it does now. From half of the time on the processor's count
 * decides: a machine that has too much to do makes everybody late, and nothing wrong. Gives what lifts the limit.
 */
export function limitWork(worker: Worker, ms: number, overdue: () => void): () => void {
  let isLifted = false
  const look = async (givenMs?: number) => {
    const spentMs = await processorMs(worker)
    if (isLifted || spentMs === undefined) return
    const endMs = givenMs ?? spentMs + ms / 2
    if (spentMs >= endMs) overdue()
    else timer = setTimeout(look, endMs - spentMs, endMs)
  }
  let timer = setTimeout(look, ms / 2)
  return () => {
    isLifted = true
    clearTimeout(timer)
  }
}

/** Nothing of one that has ended. */
async function processorMs(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return undefined
  }
}
