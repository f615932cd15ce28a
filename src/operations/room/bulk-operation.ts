import { type RoomNeed, type RoomOperation, roomOperations } from '../../domain/access/grant.ts'
import { Refusal, refusalFor } from '../../domain/refusal.ts'
import type { BulkOperation, PlainRefusal, RoomOrder } from '../../domain/room/bulk-body.ts'
import { closing, opening } from './cycle.ts'
import { needToMove } from './move-guest.ts'
import type { Apply } from './outcome.ts'
import { adding, replacing, type ServiceRules } from './services.ts'

export const needFor: Record<RoomOrder['op'], RoomNeed> = {
  open: { rooms: 'open_close' },
  close: { rooms: 'open_close' },
  add_services: { rooms: 'services' },
  replace_services: { rooms: 'services' },
  move: needToMove,
}

/** Returns the grants on rooms that the operations of a bulk call need, each once. */
export function roomsNeeded(operations: BulkOperation[]): RoomOperation[] {
  const needs = operations.flatMap(({ op }) => (op === 'malformed' ? [] : [needFor[op]]))
  return roomOperations.filter((name) => needs.some(({ rooms, andRooms }) => rooms === name || andRooms === name))
}

export type MoveOperation = RoomOrder & { op: 'move' }
export type OneRoomOperation = Exclude<RoomOrder, { op: 'move' }>

export function roomsOf(operation: BulkOperation): string[] {
  if (operation.op === 'malformed') return operation.area === undefined ? [] : [operation.area]
  return operation.op === 'move' ? [operation.area, operation.to] : [operation.area]
}

export function assertWellFormed(operation: BulkOperation): asserts operation is RoomOrder {
  if (operation.op === 'malformed') throw toRefusal(operation.refusal)
}

function toRefusal({ code, message, facts }: PlainRefusal): Refusal {
  return new Refusal(code, message, facts)
}

export function applying(operation: OneRoomOperation, rules: ServiceRules): Apply {
  if ('refusal' in operation) {
    return () => {
      throw toRefusal(operation.refusal)
    }
  }
  if (operation.op === 'open') return opening
  if (operation.op === 'close') return closing
  if (operation.op === 'add_services') return adding(operation.drafts, rules, operation.pointer)
  const { wanted, pointer, faults } = operation
  return replacing(wanted, pointer, rules, (items) => {
    const found = items.flatMap((item) => faults.filter((fault) => isWithin(item.pointer, fault.pointer)))
    if (found.length > 0) throw refusalFor('item_invalid', 'Nothing was changed.', found)
  })
}

function isWithin(item: string, pointer: string): boolean {
  return pointer === item || pointer.startsWith(`${item}/`)
}
