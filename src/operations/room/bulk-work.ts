import { refusalAt } from '../../domain/refusal.ts'
import type { BulkOperation } from '../../domain/room/bulk-body.ts'
import type { CachedFacility } from '../../storage/cached/facility.ts'
import type { Db } from '../../storage/database.ts'
import { bytesOfRooms } from '../../storage/room-bytes.ts'
import { roomsOf } from './bulk-operation.ts'

/**
 * Refuses a call that would work on too many bytes. Each operation works on its whole room, so hundreds of operations
 * on one full room would take seconds, and their results hundreds of megabytes.
 */
export async function assertBulkFits(
  db: Db,
  { id }: CachedFacility,
  operations: BulkOperation[],
  maxBytes: number,
): Promise<void> {
  const rooms = [...new Set(operations.flatMap(roomsOf))]
  const bytes = workOf(operations, await db.read((tx) => bytesOfRooms(tx, id, rooms)))
  if (bytes <= maxBytes) return
  const detail = `The operations would work on ${bytes} bytes of rooms; one call can have ${maxBytes}. Send several calls.`
  throw refusalAt('limit_exceeded', '/operations', detail)
}

/**
 * Returns an upper bound: for each operation, the bytes of its rooms and of what it sends. Afterwards, each of its
 * rooms counts as the sum, since a move takes a guest's services along.
 */
function workOf(operations: BulkOperation[], bytes: Map<string, number>): number {
  let work = 0
  for (const operation of operations) {
    const sent = JSON.stringify(operation).length
    const rooms = roomsOf(operation)
    const most = rooms.reduce((sum, room) => sum + (bytes.get(room) ?? 0), sent)
    for (const room of rooms) bytes.set(room, most)
    work += most
  }
  return work
}
