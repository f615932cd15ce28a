import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, SqliteDialect } from 'kysely'
import type { Engine, EngineOptions, Finding, Tx } from '../engine.ts'
import { sqliteDialect } from '../migrations/frozen/sqlite.ts'
import type { Tables } from '../tables.ts'
import { pollChangesWith, trackStableOffset } from './audit-log.ts'
import { Checkpointer } from './checkpoint.ts'
import { eraserOf } from './erase.ts'
import { groupCommit, type Writer } from './group-commit.ts'
import { forKysely, type Prepared, prepared } from './statements.ts'
import { transferOf } from './transfer.ts'

const busy = 5
/**
 * Read-only, I/O error, damage, full disk, file that cannot be opened: nothing was acknowledged, and it may pass. What
 * the disk refuses to read is called damage too.
 */
const unusable = new Set([busy, 8, 10, 11, 13, 14])
const patienceMs = 10_000
/** Where a thread moves them to the file, the writer does so itself only when that does not keep up. */
const pagesInLogAtMost = 8000

interface EngineError {
  errcode?: number
}

export function openSqlite(url: string, { responseTimeoutMs, onError = () => {} }: EngineOptions): Engine {
  const path = sqliteFile(url)
  const database = connect(path)
  const isService = responseTimeoutMs !== undefined
  const checkpoints = isService
    ? new Checkpointer(path, (error) => onError('empty the write-ahead log', error))
    : undefined
  if (checkpoints !== undefined) database.exec(`pragma wal_autocheckpoint = ${pagesInLogAtMost}`)
  const writer = writerOf(database, () => checkpoints?.noteCommit())
  const reader = connect(path, 'query_only')
  // Used by statements that are done at once: between them it holds no snapshot, so each sees the newest state.
  const glance = prepared(connect(path, 'query_only'))
  const write = groupCommit(writer)
  const eraser = eraserOf(path, database)
  const reading = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(reader) }) })
  const readerRows = prepared(reader)
  return {
    systemName: 'sqlite',
    read: (work) => reading.transaction().execute((query) => work(transaction(query, readerRows))),
    write,
    writeInBatch: (work, moved) => write(work, 'full', moved),
    ask: asking(writer, glance),
    pollChanges: pollChangesWith(glance),
    stableOffset: trackStableOffset(glance),
    erase: eraser.erase,
    isConflict: () => false,
    isUnavailable: (error) => unusable.has(primaryCode(error)),
    inspect: async () => inspect(path, database),
    close: async () => {
      // What waits to be written is written first.
      await write(
        async () => {},
        'full',
        () => {},
      ).catch(() => {})
      await Promise.all([eraser.ended(), checkpoints?.end()])
      glance.close()
      reader.close()
      database.close()
    },
  }
}

/** Between transactions the writer sees the newest state too, and what it has read then it need not read again to write. */
function asking(writer: Pick<Writer, 'isTransaction'> & Pick<Tx, 'rows'>, glance: Prepared): Engine['ask'] {
  return (asked, ...values) => {
    if (writer.isTransaction) return glance.rows(asked, ...values)
    try {
      return writer.rows(asked, ...values)
    } catch (error) {
      // It waits for nobody; another process that recovers or leaves the database needs a moment.
      if (primaryCode(error) !== busy) throw error
      return glance.rows(asked, ...values)
    }
  }
}

function writerOf(database: DatabaseSync, committed: () => void): Writer & Pick<Tx, 'rows'> {
  let level: Level | undefined
  let changes = 0
  const changing = () => void changes++
  const query = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database, changing) }) })
  const statements = prepared(database, changing)
  return {
    tx: transaction(query, statements),
    begin: async (durability) => {
      const wanted = durability === 'full' ? 'full' : 'normal'
      if (level !== wanted) {
        // Should it fail, nobody knows what it is.
        level = undefined
        synchronise(database, wanted)
        level = wanted
      }
      await patiently(() => statements.run('begin immediate'))
    },
    run: (statement) => {
      statements.run(statement)
      if (statement === 'commit') committed()
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
    post: (asked, ...values) => void rows(asked, ...values),
    postLast: (asked, ...values) => void rows(asked, ...values),
    // A writing transaction has the whole database to itself.
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

function connect(path: string, only?: 'query_only'): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path)
  // Others may be opening it too: a new one is switched to WAL by one of them, while the rest wait here.
  database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal')
  database.exec('pragma secure_delete = on; pragma foreign_keys = on; pragma wal_autocheckpoint = 4000')
  synchronise(database, 'full')
  if (only !== undefined) database.exec(`pragma ${only} = on; pragma busy_timeout = 1000`)
  else database.exec('pragma busy_timeout = 0')
  return database
}

/** With `full` each commit waits for the disk. With `normal` the last ones can be lost with the power, never a part of one. */
const levels = { normal: 1, full: 2 }
type Level = keyof typeof levels

/** WAL can change it behind one's back: it is read back. */
function synchronise(database: DatabaseSync, level: Level): void {
  database.exec(`pragma synchronous = ${level}`)
  const found = database.prepare('pragma synchronous').get()?.synchronous
  if (found !== levels[level]) throw new Error(`SQLite would not set synchronous=${level} on ${database.location()}`)
}

/** Another process may be writing, which only `begin immediate` can meet: wait for it without blocking other work. */
async function patiently(begin: () => void): Promise<void> {
  const deadlineMs = performance.now() + patienceMs
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
