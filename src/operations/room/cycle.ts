import { newId } from '../../domain/identifier.ts'
import type { Room } from '../../domain/room/stored-room.ts'
import type { Apply, RoomAudit } from './outcome.ts'

// Changes of a cycle. Each purges the subscriptions of the last guest, and ends what Idempotency-Keys were used for.

export const opening: Apply = (room, present, { now }) => {
  const cycle = newId()
  const audit = entry('room.open', room, cycle, { cycle, forgotten: present.length })
  const opened = { ...room, cycle, openedAt: now, dateUpdated: now, nextDueAt: null }
  return { room: opened, subscriptions: [], audit, isReset: true }
}

/** Closing a closed room changes nothing, except that it removes what was added to it meanwhile. */
export const closing: Apply = (room, present, { now }) => {
  if (room.cycle === null && present.length === 0) return { room, subscriptions: [], audit: [], isReset: true }
  const audit = entry('room.close', room, null, { cycle: room.cycle, forgotten: present.length })
  return { room: closed(room, now), subscriptions: [], audit, isReset: true }
}

function closed(room: Room, now: string): Room {
  return { ...room, cycle: null, openedAt: null, dateUpdated: now, nextDueAt: null }
}

function entry(action: RoomAudit['action'], room: Room, cycle: string | null, detail: object): RoomAudit[] {
  return [{ action, detail: { ...detail, changes: [{ key: 'cycle', before: room.cycle, after: cycle }] } }]
}
