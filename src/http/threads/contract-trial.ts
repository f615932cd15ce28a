import { Worker } from 'node:worker_threads'
import { type Fault, Refusal } from '../../domain/refusal.ts'
import { limitCpuTime } from './cpu-limit.ts'

export interface ContractTrial {
  contract: string
  samples: unknown[]
}

export interface ContractTrialResult {
  /** Why the partner's contract (a JSON Schema) cannot be used; null if it can. */
  error: string | null
  /** Which regular expression makes the contract too slow, and where it is; null if none does. */
  slow: Fault | null
  /** For each sample, what the contract forbids in it. */
  faults: Fault[][]
}

const timeoutMs = 2000
const maxConcurrent = 2
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

let running = 0

/** Uses a thread with a timeout: one regular expression can run for years (catastrophic backtracking). */
export async function tryContract(trial: ContractTrial): Promise<ContractTrialResult> {
  if (running >= maxConcurrent) {
    throw new Refusal('overloaded', 'Other contracts are being tried: try again in a second.', { retryAfterSeconds: 1 })
  }
  running++
  try {
    return await run(trial)
  } finally {
    running--
  }
}

function run(trial: ContractTrial): Promise<ContractTrialResult> {
  const worker = new Worker(new URL('./contract-worker.ts', import.meta.url), {
    workerData: trial,
    resourceLimits,
  })
  return new Promise((resolve) => {
    let cancelLimit = () => {}
    const end = (result: ContractTrialResult) => {
      cancelLimit()
      resolve(result)
      void worker.terminate()
    }
    const onTimeout = () => end(unusable(`it took longer than ${timeoutMs / 1000} seconds`))
    worker.on('message', (message: 'ready' | ContractTrialResult) => {
      if (message !== 'ready') return end(message)
      // The thread sends `ready` before each of its steps, each of which may take the whole timeout.
      cancelLimit()
      cancelLimit = limitCpuTime(worker, timeoutMs, onTimeout)
    })
    worker.on('error', () => end(unusable('it needs too much memory')))
  })
}

function unusable(reason: string): ContractTrialResult {
  return { error: `trying the samples was given up: ${reason}`, slow: null, faults: [] }
}
