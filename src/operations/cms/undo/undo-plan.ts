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

/** The plan that undoes one audit entry. */
export interface UndoPlan {
  /** The lowest role that may undo the change. */
  role: Role
  /** Checks whether the change can still be undone. If not, throws a refusal with the reason. */
  check(tx: Tx): Promise<unknown>
  /** Repeats the check and then undoes the change, in the same transaction. */
  run(db: Db, actor: Actor): Promise<Undone>
}

/** Returns the values that an audit entry records, by key: those from before its change, or those from after it. */
export function valuesIn({ changes = [] }: UndoDetail, side: 'before' | 'after'): Record<string, unknown> {
  return Object.fromEntries(changes.map((change) => [change.key, change[side]]))
}

export function overtaken(what: string): Refusal {
  return new Refusal('undo_overtaken', `${what} has changed again since: nothing was undone.`)
}

export function undoImpossible(why: string): Refusal {
  return new Refusal('undo_impossible', why)
}
