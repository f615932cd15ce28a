import { Worker } from 'node:worker_threads'
import { type Fault, Refusal } from '../../domain/refusal.ts'
import { limitWork } from './work-limit.ts'

export interface ContractTrial {
  contract: string
  samples: unknown[]
}

export interface TriedContract {
  /** Why the contract cannot be used. */
  error: string | null
  /** The pattern that is why. */
  slow: Fault | null
  /** Of each sample. */
  faults: Fault[][]
}

const trialMs = 2000
const atOnce = 2
const memory = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

let underWay = 0

/**
 * Tries a contract that nobody has looked at yet by a thread of its own, which is ended when it takes too long: one
 * regular expression can be busy for years.
 */
export async function tryContract(trial: ContractTrial): Promise<TriedContract> {
  if (underWay >= atOnce) {
    throw new Refusal('overloaded', 'Other contracts are being tried: try again in a second.', { retryAfterSeconds: 1 })
  }
  underWay++
  try {
    return await outcomeOf(trial)
  } finally {
    underWay--
  }
}

function outcomeOf(trial: ContractTrial): Promise<TriedContract> {
  const worker = new Worker(new URL('./contract-worker.ts', import.meta.url), {
    workerData: trial,
    resourceLimits: memory,
  })
  return new Promise((resolve) => {
    let lift = () => {}
    const end = (outcome: TriedContract) => {
      lift()
      resolve(outcome)
      void worker.terminate()
    }
    const giveUp = () => end(unusable(`it took longer than ${trialMs / 1000} seconds`))
    worker.on('message', (said: 'ready' | TriedContract) => {
      if (said !== 'ready') return end(said)
      // Its start is not on the contract's time.
      lift()
      lift = limitWork(worker, trialMs, giveUp)
    })
    worker.on('error', () => end(unusable('it needs too much memory')))
  })
}

function unusable(reason: string): TriedContract {
  return { error: `trying the samples was given up: ${reason}`, slow: null, faults: [] }
}
