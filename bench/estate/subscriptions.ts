import { sql } from 'kysely'
import { newId } from '../../src/domain/identifier.ts'
import type { Db } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import type { BenchEstate, BenchSubscription } from './shape.ts'

const facilitiesAtOnce = 50

/** The subscriptions that are there from the start; through /v1 they would take minutes. */
export async function insertSubscriptions(db: Db, estate: BenchEstate): Promise<void> {
  const columns = await db.read((tx) => subscriptionColumns(tx))
  for (let first = 0; first < estate.facilities; first += facilitiesAtOnce) {
    await db.write(async (tx) => {
      const last = Math.min(first + facilitiesAtOnce, estate.facilities)
      for (let facility = first; facility < last; facility++) await fillFacility(tx, estate, facility, columns)
    })
  }
}

async function fillFacility(tx: Tx, estate: BenchEstate, facility: number, columns: string[]): Promise<void> {
  const rooms = Array.from({ length: estate.roomsWithSubscriptions }, (_, area) => estate.area(facility, area).fullId)
  const found = await tx.query
    .selectFrom('area')
    .select(['id', 'id_external', 'json'])
    .where('id_external', 'in', rooms)
    .execute()
  const areaOf = new Map(found.map((area) => [area.id_external, area]))
  const rows = rooms.flatMap((room, area) =>
    Array.from({ length: estate.subscriptionsPerRoom }, (_, index) =>
      subscriptionRow(columns, areaOf.get(room)?.id ?? '', index + 1, estate.subscription(facility, area, index)),
    ),
  )
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column])))})`)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`insert into subscription (${names}) values ${sql.join(values)}`.execute(tx.query)
  await showSubscriptions(tx, found, rows)
}

/** An area is stored as it is answered, its subscriptions included. */
async function showSubscriptions(
  tx: Tx,
  areas: { id: string; json: string }[],
  rows: ReturnType<typeof subscriptionRow>[],
): Promise<void> {
  const shown = areas.map(({ id, json }) => {
    const services = rows.filter((row) => row.area_id === id).map((row) => JSON.parse(String(row.json)))
    return sql`(${id}, ${JSON.stringify({ ...JSON.parse(json), data_services: services })})`
  })
  await sql`update area set json = shown.column2 from (values ${sql.join(shown)}) shown where area.id = shown.column1`.execute(
    tx.query,
  )
}

async function subscriptionColumns(tx: Tx): Promise<string[]> {
  const tables = await tx.query.introspection.getTables()
  return tables.find(({ name }) => name === 'subscription')?.columns.map(({ name }) => name) ?? []
}

/** Whatever columns the table has: the one place that knows how a subscription is stored. */
export function subscriptionRow(columns: string[], areaId: string, position: number, given: BenchSubscription) {
  const { code, label, status, start, end } = given
  const id = newId()
  const known: Record<string, string | number | null> = {
    id,
    area_id: areaId,
    position,
    code,
    label,
    status,
    start_at: start,
    end_at: end,
    extra: '{}',
    json: JSON.stringify({ id, code, label, status, start, end }),
  }
  const strange = columns.filter((column) => !(column in known))
  if (strange.length > 0)
    throw new Error(`bench/estate/subscriptions.ts does not know the column ${strange.join(', ')}`)
  return Object.fromEntries(columns.map((column) => [column, known[column] ?? null]))
}
