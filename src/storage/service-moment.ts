import { subscriptionsIn } from '../domain/area.ts'
import { theService } from '../domain/audit.ts'
import { keptSubscription } from '../domain/subscription.ts'
import { type MomentKind, momentsOf, nextMoment } from '../domain/subscription-moment.ts'
import { recordAudit } from './audit.ts'
import type { Engine, Tx } from './engine.ts'
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
const roomsLookedAtMost = 400

/** No service of a room ends before something of the room is due. */
const ending = statement<EndingRoom>(`
  select f.id_external as facility, a.id_external as area, a.json, a.services_lengths as lengths
  from (select id from area where next_due_at < $1 order by next_due_at limit ${roomsLookedAtMost}) soon
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

const anyDue = statement<{ id: string }>('select id from area where next_due_at <= $1 limit 1')

export async function isAnythingDue(ask: Engine['ask'], nowIso: string): Promise<boolean> {
  return (await ask(anyDue, nowIso)).length > 0
}

interface DueRoom {
  id: string
  facility: string
  area: string
  cycle: string | null
  json: string
  lengths: string
  since: string
}

/** Others who change one of them wait for as long as this takes. */
const roomsAtOnce = 50

const due = statement<DueRoom>(`
  select id, (select id_external from facility where facility.id = facility_id) as facility, id_external as area,
    cycle, json, services_lengths as lengths, next_due_at as since
  from area where next_due_at <= $1 order by next_due_at limit ${roomsAtOnce}`)
const note = statement('update area set next_due_at = $1 where id = $2')
const actions = { start: 'service.start', nearEnd: 'service.near_end', end: 'service.end' } as const

/**
 * Writes down what was due in rooms, once whatever node does it: it is done with what says that it is due. Whether there
 * may be more.
 */
export async function passMoments(tx: Tx, nowIso: string, endingSeconds: number): Promise<boolean> {
  if (!(await tx.tryLock('atrium due services'))) return false
  const rooms = await tx.lockedRows(due, nowIso)
  for (const { id, facility, area, cycle, json, lengths, since } of rooms) {
    const moments = subscriptionsIn(json, lengths).flatMap((text) => momentsOf(keptSubscription(text), endingSeconds))
    const passed = moments.filter(({ at }) => at >= since && at <= nowIso).sort((a, b) => (a.at < b.at ? -1 : 1))
    const about = { at: nowIso, actor: theService, facility, partner: null, subject: area }
    for (const { kind, service, at } of passed) {
      const detail = { cycle, service: { id: service.id, code: service.code, moment: at } }
      recordAudit(tx, { ...about, action: actions[kind satisfies MomentKind], detail })
    }
    tx.post(note, nextMoment(moments, nowIso), id)
  }
  return rooms.length === roomsAtOnce
}
