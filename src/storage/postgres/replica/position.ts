import { statement } from '../../statement.ts'

// The statements by which a read decides whether a standby may serve it; see replica.ts.
// `identity` is the cluster, the database in it and the timeline, which each promotion increments. Positions in the
// write-ahead log can be compared only if it is equal on both servers. A standby shows the timeline of the log which it
// receives only to a role with pg_read_all_stats; without it, the identity differs from the primary's.

const database = '(select oid from pg_database where datname = current_database())'

/** The end of the primary's write-ahead log. */
export interface Position {
  position: string
  identity: string
}

/**
 * A position that covers every commit which is visible on the primary. A standby receives only what the primary has
 * flushed to its disk. If the end is not flushed, as after a relaxed commit, the commit of an empty message flushes all
 * before it. It waits for no synchronous standby, since the message is no data.
 */
export const takePosition = statement<Position>(`
  select (case when pg_current_wal_flush_lsn() >= inserted then inserted
      when set_config('synchronous_commit', 'local', true) = 'local' then pg_logical_emit_message(true, 'atrium', '')
    end)::text as position,
    concat_ws(' ', system_identifier, ${database}, left(pg_walfile_name(inserted), 8)) as identity
  from (select pg_current_wal_insert_lsn() as inserted offset 0) wal, pg_control_system()`)

export interface StandbyState {
  is_standby: boolean
  /** Whether the standby has replayed the primary's write-ahead log up to the position. */
  has_replayed: boolean
  identity: string
  /** Identifies the server process, which must not change: a connection pooler could switch to another server. */
  session: string
  /** An upper bound: the snapshot of this statement shows no transaction with this id or a higher one. */
  xmax: string
  /** How many bytes of the write-ahead log, up to the position, the standby has not replayed yet. */
  behind: number
}

export const standbyState = statement<StandbyState>(`
  select pg_is_in_recovery() as is_standby, coalesce(replayed >= $1::pg_lsn, false) as has_replayed,
    concat_ws(' ', system_identifier, ${database}, upper(lpad(to_hex(received_tli), 8, '0'))) as identity,
    concat_ws(' ', pg_backend_pid(), pg_postmaster_start_time()) as session,
    pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
    greatest(pg_wal_lsn_diff($1::pg_lsn, replayed), 0)::bigint as behind
  from (select pg_last_wal_replay_lsn() as replayed offset 0) wal, pg_control_system()
    left join pg_stat_wal_receiver on true`)

export interface Open {
  is_complete: boolean
  /** The transactions before `xmax` that are open on the primary, as text of an array. */
  open: string
  identity: string
}

/** Asks the primary which transactions that a standby's snapshot may show are still open on the primary. */
export const openBefore = statement<Open>(`
  select $1::xid8 <= pg_snapshot_xmax(snapshot) as is_complete,
    array(select xid from pg_snapshot_xip(snapshot) xid where xid < $1::xid8)::text as open,
    concat_ws(' ', system_identifier, ${database}, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) as identity
  from (select pg_current_snapshot() as snapshot offset 0) now, pg_control_system()`)

export const anyCommitted = statement<{ is_committed: boolean }>(`
  select coalesce(bool_or(pg_xact_status(xid) = 'committed'), false) as is_committed
  from unnest($1::text::xid8[]) xid`)
