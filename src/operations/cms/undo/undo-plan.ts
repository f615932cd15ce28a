import type { Operator, Role } from '../../../domain/access/operator.ts'
import type { PartnerWithGrants } from '../../../domain/access/partner.ts'
import type { Token } from '../../../domain/access/token.ts'
import type { Actor } from '../../../domain/audit/audit.ts'
import type { UndoDetail } from '../../../domain/audit/undo.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Settings } from '../../../domain/setting.ts'
import type { FacilityOverview } from '../../../storage/cms/facility.ts'
import type { Db } from '../../../storage/database.ts'
import type { Tx } from '../../../storage/engine.ts'

/** The result of an undo: the changed object, or undefined if the undo removed it. */
export type Undone =
  | { facility: FacilityOverview }
  | { partner: PartnerWithGrants }
  | { settings: Settings }
  | { token: Token }
  | { operator: Operator }
  | undefined

export type UndoSteps = Pick<UndoPlan, 'check' | 'run'>

export interface UndoPlan {
  /** The lowest role that may undo the change. */
  role: Role
  /** Throws a refusal with the reason if the change cannot be undone any more. */
  check(tx: Tx): Promise<unknown>
  /** Undoes the change, after repeating the check in the same transaction. */
  run(db: Db, actor: Actor): Promise<Undone>
}

export function valuesIn({ changes = [] }: UndoDetail, side: 'before' | 'after'): Record<string, unknown> {
  return Object.fromEntries(changes.map((change) => [change.key, change[side]]))
}

export function overtaken(what: string): Refusal {
  return new Refusal('undo_overtaken', `${what} has changed again since: nothing was undone.`)
}

export function undoImpossible(why: string): Refusal {
  return new Refusal('undo_impossible', why)
}
