import { subscriptionsIn } from '../domain/area.ts'
import { keptSubscription, nextEnd } from '../domain/subscription.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

export interface EndingService {
  facility: string
  area: string
  code: string
  end: string
}

interface EndingRoom {
  facility: string
  area: string
  json: string
  lengths: string
}

const shownAtMost = 50
const roomsAtMost = 200

const ending = statement<EndingRoom>(`
  select f.id_external as facility, a.id_external as area, a.json, a.services_lengths as lengths
  from (select id from area where next_end_at < $1 order by next_end_at limit ${roomsAtMost}) soon
  join area a on a.id = soon.id join facility f on f.id = a.facility_id`)

/** The first to end within that time. */
export async function servicesEnding(tx: Tx, from: string, until: string): Promise<EndingService[]> {
  const rooms = await tx.rows(ending, until)
  const services = rooms.flatMap(({ facility, area, json, lengths }) =>
    subscriptionsIn(json, lengths).flatMap((text) => {
      const { code, end } = keptSubscription(text)
      return end !== null && end >= from && end < until ? [{ facility, area, code, end }] : []
    }),
  )
  return services.sort(byEnd).slice(0, shownAtMost)
}

function byEnd(a: EndingService, b: EndingService): number {
  return a.end === b.end ? (a.area < b.area ? -1 : 1) : a.end < b.end ? -1 : 1
}

interface PassedRoom {
  id: string
  json: string
  lengths: string
  passed: string
}

const passed = statement<PassedRoom>(`select id, json, services_lengths as lengths, next_end_at as passed
  from area where next_end_at <= $1 order by next_end_at limit ${roomsAtMost}`)
const note = statement('update area set next_end_at = $1 where id = $2 and next_end_at = $3')

/** Looks for the next end in rooms whose last one has come; whether there may be more of them. */
export async function passEnds(tx: Tx, nowIso: string): Promise<boolean> {
  const rooms = await tx.rows(passed, nowIso)
  for (const { id, json, lengths, passed: end } of rooms) {
    const next = nextEnd(subscriptionsIn(json, lengths).map(keptSubscription), nowIso)
    tx.post(note, next, id, end)
  }
  return rooms.length === roomsAtMost
}
