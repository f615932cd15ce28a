import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0010-due-again'

const dayMs = 86_400_000

/**
 * Earlier versions misread a subscription with a field that is named by a whole number, and so forgot when something of
 * its room was due. Such rooms are looked at again when the first of their services begins or ends, but within a day:
 * until then a node of such a version may be running, and would forget it once more.
 */
export async function up(tx: MigrationTx): Promise<void> {
  const now = new Date()
  const tomorrow = new Date(now.getTime() + dayMs).toISOString()
  for (let after = ''; ; ) {
    const rows = await furnishedRooms(tx, after)
    for (const { id, json, next_due_at } of rows) {
      const due = [...timesIn(json), tomorrow].sort().find((at) => at > now.toISOString()) as string
      const isForgotten = timesIn(json).length > 0 && (next_due_at === null || next_due_at > due)
      if (isForgotten) await sql`update area set next_due_at = ${due} where id = ${id}`.execute(tx.query)
    }
    if (rows.length < atOnce) return
    after = rows.at(-1)?.id as string
  }
}

interface FurnishedRoom {
  id: string
  json: string
  next_due_at: string | null
}

const atOnce = 500

async function furnishedRooms(tx: MigrationTx, after: string): Promise<FurnishedRoom[]> {
  const { rows } = await sql<FurnishedRoom>`select id, json, next_due_at from area
    where id > ${after} and services_lengths <> '' order by id limit ${atOnce}`.execute(tx.query)
  return rows
}

/** When the services that were misread begin and end: in their text something stands before the id. */
function timesIn(json: string): string[] {
  const { data_services: services } = JSON.parse(json) as { data_services: Record<string, string | null>[] }
  const misread = services.filter((service) => Object.keys(service)[0] !== 'id')
  return misread.flatMap(({ start, end }) => [start, end]).filter((at): at is string => typeof at === 'string')
}
