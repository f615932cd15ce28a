import { systemActor } from '../domain/audit/audit.ts'
import { parseSubscription, subscriptionsIn } from '../domain/room/stored-room.ts'
import { type Moment, type MomentKind, momentsOf, nextMoment } from '../domain/room/subscription-moment.ts'
import { addMs } from '../domain/time.ts'
import { recordAudit } from './audit/audit.ts'
import type { Engine, Tx } from './engine.ts'
import { statement } from './statement.ts'

export interface EndingService {
  facility: string
  area: string
  code: string
  end: string
}

interface EndingRoom {
  id: string
  facility: string
  area: string
  due: string
  json: string
  lengths: string
}

export interface EndingServices {
  /** The first to end. */
  services: EndingService[]
  /** How many there are in all; null where so many rooms are due that they were not all read. */
  count: number | null
}

const shownAtMost = 50
const roomsReadAtOnce = 400
const roomsReadAtMost = 4000

/** No service of a room ends before something of the room is due. */
const ending = statement<EndingRoom>(`
  select a.id, f.id_external as facility, a.id_external as area, soon.due, a.json, a.services_lengths as lengths
  from (select id, next_due_at as due from area where next_due_at < $1 and (next_due_at, id) > ($2, $3)
    and facility_id not in (select facility_id from sandbox_facility)
    order by next_due_at, id limit ${roomsReadAtOnce}) soon
  join area a on a.id = soon.id join facility f on f.id = a.facility_id order by soon.due, a.id`)

/** The services that end within that time. */
export async function servicesEnding(tx: Tx, from: string, until: string): Promise<EndingServices> {
  const found: EndingService[] = []
  let last = { due: '', id: '' }
  let isWhole = false
  for (let read = 0; read < roomsReadAtMost && !isWhole; read += roomsReadAtOnce) {
    const rooms = await tx.rows(ending, until, last.due, last.id)
    for (const room of rooms) found.push(...endingIn(room, from, until))
    isWhole = rooms.length < roomsReadAtOnce
    last = rooms.at(-1) ?? last
  }
  return { services: found.sort(byEnd).slice(0, shownAtMost), count: isWhole ? found.length : null }
}

function endingIn({ facility, area, json, lengths }: EndingRoom, from: string, until: string): EndingService[] {
  return subscriptionsIn(json, lengths).flatMap((text) => {
    const { code, end } = parseSubscription(text)
    return end !== null && end >= from && end < until ? [{ facility, area, code, end }] : []
  })
}

function byEnd(a: EndingService, b: EndingService): number {
  return a.end === b.end ? (a.area < b.area ? -1 : 1) : a.end < b.end ? -1 : 1
}

// In order: any of them would do, but a server that expects many would then look for one among all rooms.
const anyDue = statement<{ id: string }>('select id from area where next_due_at <= $1 order by next_due_at limit 1')

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
  /** Where the room is in a sandbox, how far that clock is ahead. */
  aheadMs: number | null
}

/** Others who change one of them wait for as long as this takes. */
const roomsAtOnce = 50
/** What is parsed of rooms before others are answered in between, in characters. */
const enough = 1_048_576

const dueWhere = (where: string) =>
  statement<DueRoom>(`
  select id, (select id_external from facility where facility.id = facility_id) as facility, id_external as area,
    cycle, json, services_lengths as lengths, next_due_at as since,
    (select s.ahead_ms from sandbox_facility c join sandbox s on s.id = c.sandbox_id
      where c.facility_id = area.facility_id) as "aheadMs"
  from area where ${where}`)
const due = dueWhere(`next_due_at <= $1 order by next_due_at limit ${roomsAtOnce}`)
const note = statement('update area set next_due_at = $1 where id = $2')
const actions = { start: 'service.start', nearEnd: 'service.near_end', end: 'service.end' } as const

/** Whoever moves a clock keeps others from telling by the old one. */
export const dueServices = 'atrium due services'

/**
 * Writes down what was due in rooms, once whatever node does it: it is done with what says that it is due. Whether there
 * may be more. When something is due is kept in real time, also where another clock decides it.
 */
export async function passMoments(tx: Tx, nowIso: string, endingSeconds: number): Promise<boolean> {
  if (!(await tx.tryLock(dueServices))) return false
  const rooms = await tx.lockedRows(due, nowIso)
  let read = 0
  for (const room of rooms) {
    if (read > enough) return true
    read += room.json.length
    const { aheadMs } = room
    tell(tx, nowIso, passed(tx, room, { nowIso, endingSeconds, fromMs: aheadMs ?? 0, aheadMs: aheadMs ?? 0 }))
  }
  return rooms.length === roomsAtOnce
}

const inSandbox = dueWhere(`next_due_at is not null
  and facility_id in (select facility_id from sandbox_facility where sandbox_id = $1) order by next_due_at`)

/** What became due in a sandbox by its clock being moved, in the order of its time. */
export async function passSandboxMoments(tx: Tx, sandbox: string, by: Omit<Passing, 'nowIso'>, at: string) {
  const rooms = await tx.rows(inSandbox, sandbox)
  const told = rooms.flatMap((room) => passed(tx, room, { ...by, nowIso: at }))
  tell(tx, at, told.sort(byTime))
}

interface Passing {
  /** In real time. */
  nowIso: string
  endingSeconds: number
  /** How far the clock was ahead when it was written down what is due next, and how far it is now. */
  fromMs: number
  aheadMs: number
}

type Passed = Moment & Pick<DueRoom, 'facility' | 'area' | 'cycle'>

function passed(tx: Tx, room: DueRoom, { nowIso, endingSeconds, fromMs, aheadMs }: Passing): Passed[] {
  const { id, facility, area, cycle, json, lengths } = room
  const [since, now] = [addMs(room.since, fromMs), addMs(nowIso, aheadMs)]
  const moments = subscriptionsIn(json, lengths).flatMap((text) => momentsOf(parseSubscription(text), endingSeconds))
  const next = nextMoment(moments, now)
  tx.post(note, next && addMs(next, -aheadMs), id)
  const due = moments.filter(({ at }) => at >= since && at <= now).sort(byTime)
  return due.map((moment) => ({ ...moment, facility, area, cycle }))
}

function byTime(a: Moment, b: Moment): number {
  return a.at < b.at ? -1 : 1
}

function tell(tx: Tx, at: string, passed: Passed[]): void {
  for (const { kind, service, at: moment, facility, area, cycle } of passed) {
    const detail = { cycle, service: { id: service.id, code: service.code, moment } }
    const about = { at, actor: systemActor, facility, partner: null, subject: area }
    recordAudit(tx, { ...about, action: actions[kind satisfies MomentKind], detail })
  }
}
