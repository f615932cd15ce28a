import { parentPort } from 'node:worker_threads'
import { draftList } from '../domain/autocomplete-list.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Done, Job } from './apart.ts'

parentPort?.on('message', ({ id, body, rules }: Job) => parentPort?.postMessage(outcome(id, body, rules)))

function outcome(id: number, body: Uint8Array, rules: Job['rules']): Done {
  try {
    return { id, draft: draftList(body, rules) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, facts } = error
    return { id, refused: { code, message, facts } }
  }
}
