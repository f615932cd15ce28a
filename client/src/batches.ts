import type { RoomOperation } from './schema.ts'

/** How many operations the service accepts in one call. */
export const maxOperations = 500

/** Operations that depend on each other, by their indexes, and the rooms that they are on. */
interface Group {
  indexes: number[]
  rooms: Set<string>
}

/**
 * Splits operations into calls; returns the indexes of each. Operations on one room stay in one call, and a move is on
 * both of its rooms: if one fails, the service does not attempt the later ones on that room.
 */
export function batchesOf(operations: RoomOperation[], mode: 'each' | 'all'): number[][] {
  if (mode === 'all' && operations.length > maxOperations) {
    throw new TypeError(`mode "all" takes up to ${maxOperations} operations, which is one call. Nothing was sent.`)
  }
  const batches: number[][] = []
  for (const { indexes } of groupsOf(operations)) {
    const last = batches.at(-1)
    if (indexes.length > maxOperations) {
      throw new TypeError(`More than ${maxOperations} operations on one room do not fit into a call. Nothing was sent.`)
    }
    if (last !== undefined && last.length + indexes.length <= maxOperations) last.push(...indexes)
    else batches.push(indexes)
  }
  return batches.map((indexes) => indexes.sort((one, other) => one - other))
}

function groupsOf(operations: RoomOperation[]): Set<Group> {
  const byRoom = new Map<string, Group>()
  for (const [index, operation] of operations.entries()) {
    const rooms = operation.op === 'move' ? [operation.area, operation.to] : [operation.area]
    const joined = new Set(rooms.flatMap((room) => byRoom.get(room) ?? []))
    const group = { indexes: [index], rooms: new Set(rooms) }
    for (const other of joined) {
      group.indexes.push(...other.indexes)
      for (const room of other.rooms) group.rooms.add(room)
    }
    for (const room of group.rooms) byRoom.set(room, group)
  }
  return new Set(byRoom.values())
}
