import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import type { Engine, Finding, Tx } from './engine.ts'
import type { Tables } from './tables.ts'

const busy = 5
/** Read-only, I/O error, full disk, file that cannot be opened: nothing was written, and it may pass. */
const unusable = new Set([busy, 8, 10, 13, 14])
const patienceMs = 10_000
const statementsAtMost = 500

interface EngineError {
  errcode?: number
}

export function openSqlite(url: string): Engine {
  const path = sqliteFile(url)
  const writer = connect(path)
  const reader = connect(path, 'query_only')
  const writing = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(writer, 'begin immediate') }) })
  const reading = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(reader, 'begin') }) })
  return {
    read: (work) => reading.transaction().execute((query) => work(transaction(query))),
    write: (work) => patiently(() => writing.transaction().execute((query) => work(transaction(query)))),
    isConflict: () => false,
    isUnavailable: (error) => unusable.has(primaryCode(error)),
    inspect: async () => inspect(path, writer),
    explain: async ({ sql, parameters }) => {
      const plan = reader.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]))
      return plan.map((row) => String(row.detail)).join('\n')
    },
    close: async () => {
      reader.close()
      writer.close()
    },
  }
}

const nothingChanged = { changes: 0, lastInsertRowid: 0 }

/** node:sqlite in the shape that Kysely's dialect expects, with its statements kept. */
function forKysely(database: DatabaseSync, begin: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known !== undefined) return known
      if (statements.size >= statementsAtMost) statements.clear()
      const statement = database.prepare(sql === 'begin' ? begin : sql)
      const prepared: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
        // After some errors the engine has rolled back by itself; a second time would hide the first error.
        run: (parameters) =>
          sql === 'rollback' && !database.isTransaction
            ? nothingChanged
            : statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
      }
      statements.set(sql, prepared)
      return prepared
    },
  }
}

function transaction(query: Kysely<Tables>): Tx {
  return {
    query,
    columns: { text: 'text', integer: 'integer' },
    lockRow: (select) => select,
    // A writing transaction has the whole database to itself.
    tryLock: async () => true,
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
  // A new database is switched to WAL by one process while others wait here.
  database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal')
  database.exec(
    'pragma busy_timeout = 0; pragma synchronous = full; pragma secure_delete = on; pragma foreign_keys = on',
  )
  if (only !== undefined) database.exec(`pragma ${only} = on; pragma busy_timeout = 1000`)
  // WAL can change `synchronous` behind one's back: read it back.
  const { synchronous } = database.prepare('pragma synchronous').get() as { synchronous: number }
  if (synchronous !== 2) throw new Error(`SQLite would not set synchronous=FULL on ${path}`)
  return database
}

/** Another process may be writing, which only `begin immediate` can meet: wait for it without blocking other work. */
async function patiently<T>(write: () => Promise<T>): Promise<T> {
  const deadlineMs = Date.now() + patienceMs
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (primaryCode(error) !== busy || Date.now() > deadlineMs) throw error
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
