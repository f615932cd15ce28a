import { type Changes, type Engine, maxChanges } from '../engine.ts'
import { statement } from '../statement.ts'
import type { Connection } from './connection.ts'

// Reads the audit log without missing entries, although transactions do not commit in the order in which their entries
// are numbered.
// For the invalidation of caches, each poll returns the entries that are visible now and were not in the database
// snapshot of the previous poll. Events, webhooks and seals (hashes over entries) instead read entries by number up to
// the stable offset. To find it, each transaction that writes entries holds a shared advisory lock from before its
// first entry number until it ends; so `pg_locks` lists all transactions that have numbered entries which are not
// visible yet. Neither a poll nor the search for the stable offset takes longer as the log grows.

const writerLock = `hashtextextended('audit_entry writers', 0)`
/** The SQL that takes the lock until the transaction ends. It is shared, so that writers do not block each other. */
export const takeWriterLock = `pg_advisory_xact_lock_shared(${writerLock})`

interface Poll {
  /** The database snapshot of this poll, as text. */
  mark: string
  /** The entries visible since the previous poll; null if the snapshot is the same; undefined in the first poll. */
  changes?: [string, string | null, string | null][] | null
}

const entries = 'select action, facility, partner from audit_entry'
/** Selects the entries of transactions that began after the previous poll's snapshot or were still open in it. */
const pollSince = statement<Poll>(`
  select mark, case when mark <> $1 then (
    select coalesce(json_agg(json_build_array(action, facility, partner)), '[]') from (
      select * from (${entries} where xid >= pg_snapshot_xmax($1::text::pg_snapshot) limit ${maxChanges + 1}) later
      union all
      (${entries} where xid = any (array(select pg_snapshot_xip($1::text::pg_snapshot))) limit ${maxChanges + 1})) entry)
    end as changes from (select pg_current_snapshot()::text as mark) now`)
const pollFirst = statement<Poll>('select pg_current_snapshot()::text as mark')
/** Forces index scans: a plan made while the table is short is reused, and would scan all of a long table. */
const forceIndexScans = 'set enable_seqscan = off; set plan_cache_mode = force_generic_plan'

/** Returns a poll for changes. Compares snapshots of one connection only: another server might lack some commits. */
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
const writing = statement<{ writer: string }>(`
  select virtualtransaction as writer from pg_locks
  where locktype = 'advisory' and objsubid = 1 and ((classid::bigint << 32) | objid::bigint) = ${writerLock}
    and database = (select oid from pg_database where datname = current_database())`)

/**
 * Returns a function that reads the highest entry number and lists the open transactions that write audit entries. Once
 * all of these have ended, it returns the number, as every entry up to it is visible; until then, 0. Other transactions
 * do not delay it, even if they lock the table. It starts over when the primary changes, since another server has other
 * transactions.
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
