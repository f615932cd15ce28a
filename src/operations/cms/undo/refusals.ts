import { Refusal } from '../../../domain/refusal.ts'

export function overtaken(what: string): Refusal {
  return new Refusal('undo_overtaken', `${what} has changed again since: nothing was undone.`)
}

export function undoImpossible(why: string): Refusal {
  return new Refusal('undo_impossible', why)
}
