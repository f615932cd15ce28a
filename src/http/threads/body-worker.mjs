// @ts-check
// Parses bodies in a worker thread, see worker-thread.ts. Plain JavaScript, so that the thread does not load the
// TypeScript compiler, which takes 30 MB: the modules it imports were compiled when the main thread imported them.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { draftList } from '../../domain/autocomplete-list.ts'
import { Refusal } from '../../domain/refusal.ts'
import { loadContractCompiler } from '../../domain/room/contract.ts'
import { parseServicesBody } from '../../domain/room/services-body.ts'

/** @typedef {Required<import('../../domain/autocomplete-list.ts').ListDraft>} Draft */

/** @type {Record<import('./worker-thread.ts').Task, (body: any, rules: any) => unknown>} */
const tasks = {
  list: draftList,
  subscriptions: parseServicesBody,
}

/** @type {import('./worker-thread.ts').ThreadData} */
const { task, isLowPriority } = workerData
if (task === 'subscriptions') loadContractCompiler()
// Only on Linux does this change one thread; elsewhere it would lower the priority of the whole process.
if (isLowPriority && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
parentPort?.on('message', (job) => {
  const result = run(job)
  parentPort?.postMessage(result, transferList(result))
})
parentPort?.postMessage('ready')

/**
 * Returns the buffers of a list, which move to the main thread instead of being copied. `stored` and `body` can share
 * one.
 * @type {(result: import('./worker-thread.ts').JobResult) => ArrayBuffer[]}
 */
function transferList(result) {
  if (task !== 'list' || !('value' in result)) return []
  const { body, stored, compared } = /** @type {Draft} */ (result.value)
  return [...new Set([body, stored, compared.before].map(({ buffer }) => buffer))]
}

/** @type {(job: import('./worker-thread.ts').Job) => import('./worker-thread.ts').JobResult} */
function run({ body, rules }) {
  try {
    return { value: tasks[task](body, rules) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, facts } = error
    return { refusal: { code, message, facts } }
  }
}
