import { type Changes, type Engine, maxChanges } from '../engine.ts'
import { statement } from '../statement.ts'
import type { Connection } from './connection.ts'

const writerLock = `hashtextextended('audit_entry writers', 0)`
/** An advisory lock that writers of the journal share, so that none waits for another; it ends with the transaction. */
export const takeWriterLock = `pg_advisory_xact_lock_shared(${writerLock})`

interface Seen {
  mark: string
  /** None when this snapshot sees what the last one did. */
  changes?: [string, string | null, string | null][] | null
}

const entries = 'select action, facility, partner from audit_entry'
/** What this snapshot sees and the last one did not: what began after it, and what was under way at its time. */
const lookSince = statement<Seen>(`
  select mark, case when mark <> $1 then (
    select coalesce(json_agg(json_build_array(action, facility, partner)), '[]') from (
      select * from (${entries} where xid >= pg_snapshot_xmax($1::text::pg_snapshot) limit ${maxChanges + 1}) later
      union all
      (${entries} where xid = any (array(select pg_snapshot_xip($1::text::pg_snapshot))) limit ${maxChanges + 1})) entry)
    end as changes from (select pg_current_snapshot()::text as mark) now`)
const lookFirst = statement<Seen>('select pg_current_snapshot()::text as mark')
/**
 * The plan is made while the journal may still be short, and kept while it grows; and a server that expects many
 * entries would rather read all of it than look them up.
 */
const alwaysByIndex = 'set enable_seqscan = off; set plan_cache_mode = force_generic_plan'

/** What a connection was last told; another may lead to a server that has forgotten some commits. */
interface Mark {
  connection: Connection
  snapshot: string
}

export function journal(): (connection: Connection) => Promise<Changes> {
  let mark: Mark | undefined
  return async (connection) => {
    const since = mark?.connection === connection ? mark.snapshot : undefined
    mark = undefined
    const [row] = await (since === undefined ? firstLook(connection) : connection.rows<Seen>(lookSince, [since]))
    if (row === undefined) return 'everything'
    mark = { connection, snapshot: row.mark }
    const { changes } = row
    if (changes === null) return []
    if (changes === undefined || changes.length > maxChanges) return 'everything'
    return changes.map(([action, facility, partner]) => ({ action, facility, partner }))
  }
}

async function firstLook(connection: Connection): Promise<Seen[]> {
  await connection.query(alwaysByIndex)
  return connection.rows<Seen>(lookFirst, [])
}

const highest = statement<{ seq: number }>(
  'select case when is_called then last_value else 0 end as seq from audit_entry_seq_seq',
)
/** Transactions with numbers whose entries cannot be seen yet. */
const writing = statement<{ writer: string }>(`
  select virtualtransaction as writer from pg_locks
  where locktype = 'advisory' and objsubid = 1 and ((classid::bigint << 32) | objid::bigint) = ${writerLock}
    and database = (select oid from pg_database where datname = current_database())`)

/**
 * Looks at the highest number first and at who is writing after it: once all of those have ended, whatever has a number
 * up to it is there. What others do on the same server, to this table too, is no reason to wait. In another era it may be another server
 * that is asked, which has other writers.
 */
export function trackStableOffset(ask: Engine['ask'], era: () => number): Engine['stableOffset'] {
  let mark: { seq: number; writers: string[]; era: number } | undefined
  return async () => {
    const now = era()
    const known = mark?.era === now ? mark : undefined
    mark = undefined
    const seq = known?.seq ?? (await ask(highest))[0]?.seq ?? 0
    const present = (await ask(writing)).map(({ writer }) => writer)
    if (now !== era()) return 0
    const writers = known === undefined ? present : known.writers.filter((writer) => present.includes(writer))
    if (writers.length === 0) return seq
    mark = { seq, writers, era: now }
    return 0
  }
}
