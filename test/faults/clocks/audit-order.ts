import { runAtrium } from '../../torture/node.ts'
import { refused } from '../../torture/room-book.ts'
import type { Lane } from './lane.ts'

/**
 * Checks that the audit log has events in their real order, whatever timestamps they have, and that its seals are
 * valid.
 */
export async function assertAuditOrder(build: string, { db, cycles, database }: Lane): Promise<void> {
  const rows = await db.read((tx) =>
    tx.query
      .selectFrom('audit_entry')
      .where('action', '=', 'room.open')
      .select(['subject', 'detail'])
      .orderBy('seq')
      .execute(),
  )
  for (const [area, seen] of cycles) {
    const written = rows.filter(({ subject }) => subject === area).map(({ detail }) => JSON.parse(detail).cycle)
    if (written.join() !== seen.join()) {
      throw refused(`the audit log has the cycles of room ${area} in another order`, [
        `seen: ${seen.join(' ')}`,
        `written: ${written.join(' ')}`,
      ])
    }
  }
  const { code, printed } = await runAtrium(build, { ATRIUM_DATABASE: database.url }, 'audit', 'verify')
  if (code !== 0) throw refused('the audit log is not whole', printed.split('\n'))
}
