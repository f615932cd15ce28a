import { systemActor } from '../domain/audit/audit.ts'
import { parseSubscription, subscriptionsIn } from '../domain/room/stored-room.ts'
import { type Moment, type MomentKind, momentsOf, nextMoment } from '../domain/room/subscription-moment.ts'
import { addMs } from '../domain/time.ts'
import { recordAudit } from './audit/audit.ts'
import type { Engine, Tx } from './engine.ts'
import { statement } from './statement.ts'

interface EndingService {
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
  /** The services whose end is nearest, up to a limited number, in the order of their ends. */
  services: EndingService[]
  /** The number of all services that end in the time range; null when there are too many rooms to count them. */
  count: number | null
}

const maxShown = 50
const roomsPerPage = 400
const maxRoomsRead = 4000

/** Finds rooms in which a service might end before `$1`: nothing is due in a room before its `next_due_at`. */
const ending = statement<EndingRoom>(`
  select a.id, f.id_external as facility, a.id_external as area, soon.due, a.json, a.services_lengths as lengths
  from (select id, next_due_at as due from area where next_due_at < $1 and (next_due_at, id) > ($2, $3)
    and facility_id not in (select facility_id from sandbox_facility)
    order by next_due_at, id limit ${roomsPerPage}) soon
  join area a on a.id = soon.id join facility f on f.id = a.facility_id order by soon.due, a.id`)

/** Finds the services whose end is in the time range `[from, until)`. */
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

// Sorted by the indexed column, or the planner might scan the whole table for a room that is due.
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
  /** For a room in a sandbox, how many milliseconds the sandbox's clock is ahead of real time; otherwise null. */
  aheadMs: number | null
}

/** The rooms per transaction, which locks them and so delays requests that change them. */
const roomsPerBatch = 50
/** The maximum number of characters of rooms' JSON that one transaction parses, since parsing blocks the event loop. */
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

/**
 * The named lock for recording moments of services (start, notice before the end, end). Moving a sandbox's clock takes
 * it as well, so that no moment is recorded by the time before the move.
 */
export const dueServices = 'atrium due services'

/**
 * Records audit entries for moments of services (start, `endingSeconds` before the end, end) that have become due, each
 * exactly once: the same transaction moves `next_due_at` forward, which is in real time, also in sandboxes. Returns
 * whether there may be more rooms.
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

/** Records the moments that became due because the sandbox's clock was moved, in the order of time. */
export async function passSandboxMoments(tx: Tx, sandbox: string, by: Omit<Passing, 'nowIso'>, at: string) {
  const rooms = await tx.rows(inSandbox, sandbox)
  const passed = rooms.flatMap((room) => takeDueMoments(tx, room, { ...by, nowIso: at }))
  recordMoments(tx, at, passed.sort(byTime))
}

interface Passing {
  /** The current real time, also for rooms in sandboxes. */
  nowIso: string
  endingSeconds: number
  /** The ms by which the sandbox's clock was ahead when `next_due_at` was computed; 0 outside sandboxes. */
  fromMs: number
  /** How many milliseconds the sandbox's clock is ahead of real time now; 0 for a room outside sandboxes. */
  aheadMs: number
}

type DueMoment = Moment & Pick<DueRoom, 'facility' | 'area' | 'cycle'>

/** Returns the moments that have become due, and moves `next_due_at` to the next one that is not due yet. */
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
    const action = actions[kind satisfies MomentKind]
    recordAudit(tx, { at, actor: systemActor, action, facility, subject: area, detail })
  }
}
