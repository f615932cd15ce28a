import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { draftList, type ListRules } from '../domain/autocomplete-list.ts'
import { prepareForContracts } from '../domain/contract.ts'
import { Refusal } from '../domain/refusal.ts'
import { draftSubscriptions, type SubscriptionRules } from '../domain/subscription.ts'
import type { Done, Job } from './thread.ts'

const tasks = {
  list: (body: Uint8Array, rules: unknown) => draftList(body, rules as ListRules),
  subscriptions: (body: Uint8Array, rules: unknown) => draftSubscriptions(body, rules as SubscriptionRules),
}

export type Task = keyof typeof tasks

const task = workerData as Task
if (task === 'subscriptions') prepareForContracts()
// Whoever sends a long list lets short requests go first. Elsewhere this would be for the whole process.
if (task === 'list' && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
parentPort?.on('message', (job: Job) => parentPort?.postMessage(outcome(job)))
parentPort?.postMessage('ready')

function outcome({ id, task, body, rules }: Job): Done {
  try {
    return { id, made: tasks[task](body, rules) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, facts } = error
    return { id, refused: { code, message, facts } }
  }
}
