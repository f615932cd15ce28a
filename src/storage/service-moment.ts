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
  /** The services that end first. */
  services: EndingService[]
  /** The number of all services that end; null when there are more rooms to search than the limit. */
  count: number | null
}

const maxShown = 50
const roomsPerPage = 400
const maxRoomsRead = 4000

/** Searches by `next_due_at`, as no service of a room ends before it. */
const ending = statement<EndingRoom>(`
  select a.id, f.id_external as facility, a.id_external as area, soon.due, a.json, a.services_lengths as lengths
  from (select id, next_due_at as due from area where next_due_at < $1 and (next_due_at, id) > ($2, $3)
    and facility_id not in (select facility_id from sandbox_facility)
    order by next_due_at, id limit ${roomsPerPage}) soon
  join area a on a.id = soon.id join facility f on f.id = a.facility_id order by soon.due, a.id`)

/** Finds the services that end in `[from, until)`. */
export async function servicesEnding(tx: Tx, from: string, until: string): Promise<EndingServices> {
  const found: EndingService[] = []
  let last = { due: '', id: '' }
  let isComplete = false
  for (let read = 0; read < maxRoomsRead && !isComplete; read += roomsPerPage) {
    const rooms = await tx.rows(ending, until, last.due, last.id)
    for (const room of rooms) found.push(...endingIn(room, from, until))
    isComplete = rooms.length < roomsPerPage
    last = rooms.at(-1) ?? last
  }
  return { services: found.sort(byEnd).slice(0, maxShown), count: isComplete ? found.length : null }
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

// Ordered so that the index is used: without it, a planner that expects many rows would scan the table for the first.
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
  /** For a room in a sandbox, how far the clock of the sandbox is ahead. */
  aheadMs: number | null
}

/** The maximum number of rooms per transaction: it locks them all, which delays other changes of them. */
const roomsPerBatch = 50
/** The maximum length of JSON per transaction, since parsing it blocks the event loop. */
const maxCharacters = 1_048_576

const dueWhere = (where: string) =>
  statement<DueRoom>(`
  select id, (select id_external from facility where facility.id = facility_id) as facility, id_external as area,
    cycle, json, services_lengths as lengths, next_due_at as since,
    (select s.ahead_ms from sandbox_facility c join sandbox s on s.id = c.sandbox_id
      where c.facility_id = area.facility_id) as "aheadMs"
  from area where ${where}`)
const due = dueWhere(`next_due_at <= $1 order by next_due_at limit ${roomsPerBatch}`)
const note = statement('update area set next_due_at = $1 where id = $2')
const actions = { start: 'service.start', nearEnd: 'service.near_end', end: 'service.end' } as const

/** The name of the lock on due moments. Moving a sandbox's clock takes it, so that no moment is decided by the old time. */
export const dueServices = 'atrium due services'

/**
 * Records an audit entry for each start and end of a service that has become due, one batch of rooms at a time. Exactly
 * once: the room's `next_due_at`, which is in real time also for sandboxes, is moved in the same transaction. Returns
 * whether there may be more.
 */
export async function passMoments(tx: Tx, nowIso: string, endingSeconds: number): Promise<boolean> {
  if (!(await tx.tryLock(dueServices))) return false
  const rooms = await tx.lockedRows(due, nowIso)
  let read = 0
  for (const room of rooms) {
    if (read > maxCharacters) return true
    read += room.json.length
    const { aheadMs } = room
    recordMoments(
      tx,
      nowIso,
      takeDueMoments(tx, room, { nowIso, endingSeconds, fromMs: aheadMs ?? 0, aheadMs: aheadMs ?? 0 }),
    )
  }
  return rooms.length === roomsPerBatch
}

const inSandbox = dueWhere(`next_due_at is not null
  and facility_id in (select facility_id from sandbox_facility where sandbox_id = $1) order by next_due_at`)

/** Records what became due in a sandbox when its clock was moved, in order of time. */
export async function passSandboxMoments(tx: Tx, sandbox: string, by: Omit<Passing, 'nowIso'>, at: string) {
  const rooms = await tx.rows(inSandbox, sandbox)
  const passed = rooms.flatMap((room) => takeDueMoments(tx, room, { ...by, nowIso: at }))
  recordMoments(tx, at, passed.sort(byTime))
}

interface Passing {
  /** The current real time, also for sandboxes. */
  nowIso: string
  endingSeconds: number
  /** How far the clock of the room was ahead when `next_due_at` was computed. */
  fromMs: number
  /** How far the clock of the room is ahead now. */
  aheadMs: number
}

type DueMoment = Moment & Pick<DueRoom, 'facility' | 'area' | 'cycle'>

/** Returns the moments of a room that have become due, and moves its `next_due_at` to the next one. */
function takeDueMoments(tx: Tx, room: DueRoom, { nowIso, endingSeconds, fromMs, aheadMs }: Passing): DueMoment[] {
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

function recordMoments(tx: Tx, at: string, moments: DueMoment[]): void {
  for (const { kind, service, at: moment, facility, area, cycle } of moments) {
    const detail = { cycle, service: { id: service.id, code: service.code, moment } }
    const about = { at, actor: systemActor, facility, partner: null, subject: area }
    recordAudit(tx, { ...about, action: actions[kind satisfies MomentKind], detail })
  }
}
