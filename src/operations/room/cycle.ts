import { newId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Room } from '../../domain/room/stored-room.ts'
import type { RoomWithSubscriptions } from '../../storage/area.ts'
import type { Apply, RoomAudit, RoomClock } from './outcome.ts'

// The changes that begin, end or move a cycle, the stay of a guest. Each also purges the stored responses of the room's
// Idempotency-Keys.

export const opening: Apply = (room, present, { now }) => {
  const cycle = newId()
  const audit = [cycleAudit(room, cycle, present.length)]
  const opened = { ...room, cycle, openedAt: now, dateUpdated: now, nextDueAt: null }
  return { room: opened, subscriptions: [], audit, isReset: true }
}

/** Closes a room and purges its services. Those of a room that is closed already were added after its closing. */
export const closing: Apply = (room, present, { now }) => {
  if (room.cycle === null && present.length === 0) return { room, subscriptions: [], audit: [], isReset: true }
  const audit = [cycleAudit(room, null, present.length)]
  return { room: closed(room, now), subscriptions: [], audit, isReset: true }
}

interface Move {
  /** The room that the guest leaves, closed and without subscriptions. */
  source: RoomWithSubscriptions
  target: RoomWithSubscriptions
  /** One entry, whose subject is the room that the guest leaves. */
  audit: RoomAudit[]
}

/** Moves a guest. Purges, as an opening would, the services that the closed target had for its next guest. */
export function moving(source: RoomWithSubscriptions, target: RoomWithSubscriptions, { now }: RoomClock): Move {
  const { cycle, openedAt, nextDueAt, idExternal: from } = source.room
  const { idExternal: to } = target.room
  if (cycle === null) throw new Refusal('room_not_open', `Room ${from} is closed: it has no guest to move.`)
  if (to === from) throw new Refusal('room_occupied', `The guest is in room ${to} already: name another room.`)
  if (target.room.cycle !== null) throw new Refusal('room_occupied', `Room ${to} is open: it has a guest already.`)
  const taken = { ...target.room, cycle, openedAt, nextDueAt, dateUpdated: now }
  const changes = [
    { key: 'room', before: from, after: to },
    { key: 'cycle', before: cycle, after: null },
  ]
  const counts = { moved: source.subscriptions.length, forgotten: target.subscriptions.length }
  return {
    source: { room: closed(source.room, now), subscriptions: [] },
    target: { room: taken, subscriptions: source.subscriptions },
    audit: [{ action: 'room.move', detail: { cycle, from, to, ...counts, changes } }],
  }
}

function closed(room: Room, now: string): Room {
  return { ...room, cycle: null, openedAt: null, dateUpdated: now, nextDueAt: null }
}

/** Returns the audit entry of a room that was opened with this new cycle or, if `cycle` is null, was closed. */
export function cycleAudit(room: Room, cycle: string | null, forgotten: number): RoomAudit {
  const changes = [{ key: 'cycle', before: room.cycle, after: cycle }]
  if (cycle === null) return { action: 'room.close', detail: { cycle: room.cycle, forgotten, changes } }
  return { action: 'room.open', detail: { cycle, forgotten, changes } }
}
