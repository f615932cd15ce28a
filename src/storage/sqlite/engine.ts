import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, SqliteDialect } from 'kysely'
import type { Engine, EngineOptions, Finding, Tx } from '../engine.ts'
import { sqliteDialect } from '../migrations/frozen/sqlite.ts'
import type { Tables } from '../tables.ts'
import { changePoller, stableOffsetReader } from './audit-log.ts'
import { Checkpointer } from './checkpoint.ts'
import { erase } from './erase.ts'
import { groupCommit, type Writer } from './group-commit.ts'
import { forKysely, type Prepared, prepared } from './statements.ts'
import { transferOf } from './transfer.ts'

const busy = 5
/**
 * Result codes of an unavailable database, after which nothing was committed and a later attempt may succeed: busy,
 * read-only, I/O error, corrupt (which SQLite also reports for failed reads), full disk, file that cannot be opened.
 */
const unavailableCodes = new Set([busy, 8, 10, 11, 13, 14])
const busyTimeoutMs = 10_000
/** The size of the write-ahead log, in pages, at which SQLite checkpoints it, unless the thread was faster. */
const maxLogPages = 8000

interface EngineError {
  errcode?: number
}

export function openSqlite(url: string, { responseTimeoutMs, onError = () => {} }: EngineOptions): Engine {
  const path = sqliteFile(url)
  const database = connect(path)
  const isService = responseTimeoutMs !== undefined
  const checkpointer = isService
    ? new Checkpointer(path, (error) => onError('empty the write-ahead log', error))
    : undefined
  if (checkpointer !== undefined) database.exec(`pragma wal_autocheckpoint = ${maxLogPages}`)
  const writer = writerOf(database, () => checkpointer?.onCommit())
  const reader = connect(path, 'query_only')
  // This connection never opens a transaction, so that each of its statements sees the newest committed state.
  const autocommitReader = prepared(connect(path, 'query_only'))
  const write = groupCommit(writer)
  const reading = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(reader) }) })
  const readerRows = prepared(reader)
  const read: Engine['read'] = (work) => reading.transaction().execute((query) => work(transaction(query, readerRows)))
  return {
    systemName: 'sqlite',
    read,
    readFromReplica: read,
    write,
    writeInBatch: (work, onSnapshotChange) => write(work, 'full', onSnapshotChange),
    ask: asker(writer, autocommitReader),
    pollChanges: changePoller(autocommitReader),
    stableOffset: stableOffsetReader(autocommitReader),
    erase: () => erase(path, database, checkpointer),
    isConflict: () => false,
    isUnavailable: (error) => unavailableCodes.has(primaryCode(error)),
    inspect: async () => inspect(path, database),
    close: async () => {
      // Waits for the queued writes: this empty write joins the end of the queue, so it ends after all of them.
      await write(
        async () => {},
        'full',
        () => {},
      ).catch(() => {})
      await checkpointer?.stop()
      autocommitReader.close()
      reader.close()
      database.close()
    },
  }
}

/** Reads on the writer's connection while no transaction is open on it, to share the cache of pages with writes. */
function asker(writer: Pick<Writer, 'isTransaction'> & Pick<Tx, 'rows'>, autocommitReader: Prepared): Engine['ask'] {
  return (statement, ...values) => {
    if (writer.isTransaction) return autocommitReader.rows(statement, ...values)
    try {
      return writer.rows(statement, ...values)
    } catch (error) {
      // The writer's connection has no busy timeout: its reads fail at once while another process opens, recovers or
      // closes the database. The reading connection waits.
      if (primaryCode(error) !== busy) throw error
      return autocommitReader.rows(statement, ...values)
    }
  }
}

function writerOf(database: DatabaseSync, onCommit: () => void): Writer & Pick<Tx, 'rows'> {
  let level: Level | undefined
  let changes = 0
  const onChange = () => void changes++
  const query = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database, onChange) }) })
  const statements = prepared(database, onChange)
  return {
    tx: transaction(query, statements),
    begin: async (durability) => {
      const wanted = durability === 'full' ? 'full' : 'normal'
      if (level !== wanted) {
        // The level is unknown until `setSynchronous` succeeds: if it throws, the next transaction sets it again.
        level = undefined
        setSynchronous(database, wanted)
        level = wanted
      }
      await retryWhileBusy(() => statements.run('begin immediate'))
    },
    run: (statement) => {
      statements.run(statement)
      if (statement === 'commit') onCommit()
    },
    rows: statements.rows,
    get changes() {
      return changes
    },
    get isTransaction() {
      return database.isOpen && database.isTransaction
    },
  }
}

function transaction(query: Kysely<Tables>, { rows }: Prepared): Tx {
  return {
    query,
    rows,
    lockedRows: rows,
    post: (statement, ...values) => void rows(statement, ...values),
    postLast: (statement, ...values) => void rows(statement, ...values),
    isExclusive: true,
    dialect: sqliteDialect,
    get transfer() {
      return transferOf(query)
    },
    lockRow: (select) => select,
    tryLock: () => true,
    lock: async () => {},
  }
}

export function sqliteFile(url: string): string {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  if (path === undefined || path.includes(':memory:')) {
    throw new Error('ATRIUM_DATABASE must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME')
  }
  return resolve(path)
}

function connect(path: string, mode?: 'query_only'): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path)
  // Of several processes that open a new database at once, one switches it to WAL while the others wait here.
  database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal')
  database.exec('pragma secure_delete = on; pragma foreign_keys = on; pragma wal_autocheckpoint = 4000')
  setSynchronous(database, 'full')
  if (mode !== undefined) database.exec(`pragma ${mode} = on; pragma busy_timeout = 1000`)
  else database.exec('pragma busy_timeout = 0')
  return database
}

/** Levels of `pragma synchronous`. With `normal`, a power failure can lose the latest commits, but only whole ones. */
const levels = { normal: 1, full: 2 }
type Level = keyof typeof levels

/** Sets the level and checks that it took effect: opening a database in WAL mode can reset it to a default. */
function setSynchronous(database: DatabaseSync, level: Level): void {
  database.exec(`pragma synchronous = ${level}`)
  const found = database.prepare('pragma synchronous').get()?.synchronous
  if (found !== levels[level]) throw new Error(`SQLite would not set synchronous=${level} on ${database.location()}`)
}

/** Repeats `begin` while another process writes: SQLite's own busy timeout would block the event loop. */
async function retryWhileBusy(begin: () => void): Promise<void> {
  const deadlineMs = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return begin()
    } catch (error) {
      if (primaryCode(error) !== busy || performance.now() > deadlineMs) throw error
      await sleep(2 + Math.random() * 8)
    }
  }
}

function primaryCode(error: unknown): number {
  return ((error as EngineError).errcode ?? 0) & 0xff
}

function inspect(path: string, database: DatabaseSync): Finding[] {
  const ask = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0]
  const expect = (name: string, wanted: unknown, advice: string): Finding => {
    const found = ask(`pragma ${name}`)
    return { check: `SQLite ${name}`, ok: found === wanted, detail: String(found), advice }
  }
  return [
    {
      check: 'database',
      ok: true,
      detail: `SQLite ${ask('select sqlite_version()')}, ${path}, ${statSync(path).size} bytes`,
    },
    expect('journal_mode', 'wal', 'Put the database on a local disk: WAL does not work on network file systems.'),
    expect('synchronous', 2, 'Acknowledged writes could be lost when power fails: report this as a bug.'),
    expect('secure_delete', 1, 'Deleted data could stay in the file: report this as a bug.'),
    expect('foreign_keys', 1, 'Rows could outlive what they belong to: report this as a bug.'),
    expect('quick_check', 'ok', 'The database file is damaged: stop Atrium and restore the last backup.'),
  ]
}
