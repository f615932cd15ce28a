import { sql } from 'kysely'
import type { MigrationBatch, MigrationTx } from './frozen/migration.ts'

export const name = '0010-due-again'

const dayMs = 86_400_000

/**
 * Repairs `next_due_at` of rooms, the time of the next start or end of a service. Earlier versions lost this time when
 * a subscription had a field whose name looks like an integer. Sets it to the next start or end of such a service, but
 * to a day from now at the latest: a node of this version then computes it once more, as a node of an earlier version
 * may run until then and lose the time again.
 */
export async function batch(tx: MigrationTx, after: string): Promise<MigrationBatch> {
  const now = new Date()
  const tomorrow = new Date(now.getTime() + dayMs).toISOString()
  const rows = await furnishedRooms(tx, after)
  for (const { id, json, next_due_at } of rows) {
    const due = [...timesIn(json), tomorrow].sort().find((at) => at > now.toISOString()) as string
    const isForgotten = timesIn(json).length > 0 && (next_due_at === null || next_due_at > due)
    if (isForgotten) await sql`update area set next_due_at = ${due} where id = ${id}`.execute(tx.query)
  }
  return { rows: rows.length, after: rows.length < atOnce ? undefined : rows.at(-1)?.id }
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

/** Returns times of services that earlier versions misread: those with a field named like an integer before `id`. */
function timesIn(json: string): string[] {
  const { data_services: services } = JSON.parse(json) as { data_services: Record<string, string | null>[] }
  const misread = services.filter((service) => Object.keys(service)[0] !== 'id')
  return misread.flatMap(({ start, end }) => [start, end]).filter((at): at is string => typeof at === 'string')
}
