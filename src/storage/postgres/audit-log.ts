import { type Changes, type Engine, maxChanges } from '../engine.ts'
import { statement } from '../statement.ts'
import type { Connection } from './connection.ts'

// Reads the audit log in commit order, although transactions commit in another order than their entries are numbered.
//
// Invalidation compares snapshots: each poll returns the entries that the present snapshot sees and the previous one did
// not. The feed (events, webhooks, seals) reads by number, up to the stable offset: every writer shares an advisory lock
// from before its first number until it ends, so that `pg_locks` lists the transactions whose numbered entries are not
// visible yet. Both cost one statement per poll, whatever the size of the log.

const writerLock = `hashtextextended('audit_entry writers', 0)`
/** Takes the writers' advisory lock, in shared mode so that writers do not block one another, until the commit. */
export const takeWriterLock = `pg_advisory_xact_lock_shared(${writerLock})`

interface Poll {
  /** The snapshot of this poll, as text. */
  mark: string
  /** Null when the snapshot is the same as the last one, missing in a first poll. */
  changes?: [string, string | null, string | null][] | null
}

const entries = 'select action, facility, partner from audit_entry'
/** New entries are those of transactions that began after the last snapshot, or were in progress in it. */
const pollSince = statement<Poll>(`
  select mark, case when mark <> $1 then (
    select coalesce(json_agg(json_build_array(action, facility, partner)), '[]') from (
      select * from (${entries} where xid >= pg_snapshot_xmax($1::text::pg_snapshot) limit ${maxChanges + 1}) later
      union all
      (${entries} where xid = any (array(select pg_snapshot_xip($1::text::pg_snapshot))) limit ${maxChanges + 1})) entry)
    end as changes from (select pg_current_snapshot()::text as mark) now`)
const pollFirst = statement<Poll>('select pg_current_snapshot()::text as mark')
/**
 * Forces index scans. The plan may be made while the table is still short and is reused as it grows; and a planner that
 * expects many entries would scan the whole table.
 */
const forceIndexScans = 'set enable_seqscan = off; set plan_cache_mode = force_generic_plan'

/** Returns the poll of `Engine.pollChanges`. Snapshots are compared only on one connection: another server may lack commits. */
export function changePoller(): (connection: Connection) => Promise<Changes> {
  let last: { connection: Connection; snapshot: string } | undefined
  return async (connection) => {
    const since = last?.connection === connection ? last.snapshot : undefined
    last = undefined
    const [row] = await (since === undefined ? firstPoll(connection) : connection.rows<Poll>(pollSince, [since]))
    if (row === undefined) return 'everything'
    const { mark, changes } = row
    last = { connection, snapshot: mark }
    if (changes === null) return []
    if (changes === undefined || changes.length > maxChanges) return 'everything'
    return changes.map(([action, facility, partner]) => ({ action, facility, partner }))
  }
}

async function firstPoll(connection: Connection): Promise<Poll[]> {
  await connection.query(forceIndexScans)
  return connection.rows<Poll>(pollFirst, [])
}

const highest = statement<{ seq: number }>(
  'select case when is_called then last_value else 0 end as seq from audit_entry_seq_seq',
)
/** Transactions that may have numbered entries which are not visible yet. */
const writing = statement<{ writer: string }>(`
  select virtualtransaction as writer from pg_locks
  where locktype = 'advisory' and objsubid = 1 and ((classid::bigint << 32) | objid::bigint) = ${writerLock}
    and database = (select oid from pg_database where datname = current_database())`)

/**
 * Returns `Engine.stableOffset`. Reads the highest number first and the writers after it: once those writers have ended,
 * every entry up to that number is visible. Calls until then return 0. Other sessions on the server, even those that
 * lock the table, do not delay it. A change of the primary's generation starts over, as another server has other writers.
 */
export function stableOffsetTracker(ask: Engine['ask'], generationOf: () => number): Engine['stableOffset'] {
  let candidate: { seq: number; writers: string[]; generation: number } | undefined
  return async () => {
    const generation = generationOf()
    const earlier = candidate?.generation === generation ? candidate : undefined
    candidate = undefined
    const seq = earlier?.seq ?? (await ask(highest))[0]?.seq ?? 0
    const present = (await ask(writing)).map(({ writer }) => writer)
    if (generation !== generationOf()) return 0
    const writers = earlier === undefined ? present : earlier.writers.filter((writer) => present.includes(writer))
    if (writers.length === 0) return seq
    candidate = { seq, writers, generation }
    return 0
  }
}
