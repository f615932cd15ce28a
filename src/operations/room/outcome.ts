import type { Actor, AuditAction } from '../../domain/audit/audit.ts'
import { auditTimestamp } from '../../domain/audit/audit.ts'
import type { Room } from '../../domain/room/stored-room.ts'
import type { RoomWithSubscriptions } from '../../storage/area.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { BatchTx } from '../../storage/engine.ts'

/** The caller's clock, which in a sandbox can be ahead of real time. */
export interface RoomClock {
  now: string
  aheadMs: number
}

export interface RoomAudit {
  action: AuditAction
  detail: object
}

interface Outcome extends RoomWithSubscriptions {
  /** The audit entries of the change; empty if nothing changed. */
  audit: RoomAudit[]
  /** Ends the room's Idempotency-Keys, so that their stored responses are purged. */
  isReset?: true
}

/** Computes the room after a change, without writing it. Throws a `Refusal` if the change is not possible. */
export type Apply = (room: Room, subscriptions: string[], clock: RoomClock) => Outcome

/** `facility` is the external id. */
export function recordRoomAudit(
  tx: BatchTx,
  actor: Actor,
  { facility, area }: { facility: string; area: string },
  audit: RoomAudit[],
  { now, aheadMs }: RoomClock,
): void {
  for (const { action, detail } of audit) {
    recordAudit(tx, { actor, action, facility, subject: area, ...auditTimestamp(now, aheadMs, detail) })
  }
}
