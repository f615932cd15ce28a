// Plain JavaScript, so that a thread loads no compiler of TypeScript, which takes 30 MB: the service has imported all the
// rest before, and what was compiled then is found.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { draftList } from '../../domain/autocomplete-list.ts'
import { Refusal } from '../../domain/refusal.ts'
import { loadContractCompiler } from '../../domain/room/contract.ts'
import { draftSubscriptions } from '../../domain/room/subscription.ts'

/** @type {Record<import('./thread.ts').Task, (body: Uint8Array<ArrayBuffer>, rules: any) => unknown>} */
const tasks = {
  list: draftList,
  subscriptions: draftSubscriptions,
}

/** @type {import('./thread.ts').ThreadData} */
const { task, isLowPriority } = workerData
if (task === 'subscriptions') loadContractCompiler()
// Elsewhere this would be for the whole process.
if (isLowPriority && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
parentPort?.on('message', (job) => {
  const done = outcome(job)
  parentPort?.postMessage(done, handedOver(done))
})
parentPort?.postMessage('ready')

/**
 * Texts as long as a list are not copied.
 * @type {(done: any) => ArrayBuffer[]}
 */
function handedOver({ made }) {
  if (task !== 'list' || !made) return []
  const { answer, kept, compared } = made
  // A list that is kept as it is answered is a part of that.
  return [...new Set([answer, kept, compared.before].map(({ buffer }) => buffer))]
}

/** @type {(job: import('./thread.ts').Job) => import('./thread.ts').Done} */
function outcome({ body, rules }) {
  try {
    return { made: tasks[task](body, rules) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, facts } = error
    return { refused: { code, message, facts } }
  }
}
