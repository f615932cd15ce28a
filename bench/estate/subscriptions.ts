import { sql } from 'kysely'
import { newId } from '../../src/domain/identifier.ts'
import { lengthsOf, subscriptionsIn } from '../../src/domain/room/stored-room.ts'
import type { Db } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import type { BenchEstate, BenchSubscription } from './shape.ts'

const facilitiesPerBatch = 50

/** Inserts the initial subscriptions directly; through /v1 they would take minutes. */
export async function insertSubscriptions(db: Db, estate: BenchEstate): Promise<void> {
  for (let first = 0; first < estate.facilities; first += facilitiesPerBatch) {
    await db.write(async (tx) => {
      const last = Math.min(first + facilitiesPerBatch, estate.facilities)
      for (let facility = first; facility < last; facility++) await fillFacility(tx, estate, facility)
    })
  }
}

async function fillFacility(tx: Tx, estate: BenchEstate, facility: number): Promise<void> {
  const rooms = Array.from({ length: estate.roomsWithSubscriptions }, (_, area) => estate.area(facility, area).fullId)
  const found = await tx.query
    .selectFrom('area')
    .select(['id', 'id_external', 'json'])
    .where('id_external', 'in', rooms)
    .execute()
  const rows = found.map(({ id, id_external, json }) => {
    const area = rooms.indexOf(id_external)
    const given = Array.from({ length: estate.subscriptionsPerRoom }, (_, at) =>
      estate.subscription(facility, area, at),
    )
    const services = given.map(subscriptionText)
    return sql`(${id}, ${furnished(json, [], services)}, ${lengthsOf(services)}, ${given[0]?.end ?? null})`
  })
  await sql`update area set json = shown.column2, services_lengths = shown.column3, next_due_at = shown.column4
    from (values ${sql.join(rows)}) shown where area.id = shown.column1`.execute(tx.query)
}

/** Returns a subscription in its stored form. */
export function subscriptionText({ code, label, status, start, end }: BenchSubscription): string {
  return JSON.stringify({ id: newId(), code, label, status, start, end })
}

interface KeptRoom {
  json: string
  lengths: string
}

/** Returns a room with its subscriptions replaced. */
export function changedRoom({ json, lengths }: KeptRoom, change: (services: string[]) => string[]): KeptRoom {
  const before = subscriptionsIn(json, lengths)
  const after = change(before)
  return { json: furnished(json, before, after), lengths: lengthsOf(after) }
}

function furnished(json: string, before: string[], after: string[]): string {
  return json.replace(`"data_services":[${before.join()}]`, () => `"data_services":[${after.join()}]`)
}
