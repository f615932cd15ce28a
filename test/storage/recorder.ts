import { DatabaseSync } from 'node:sqlite'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import pg from 'pg'
import { AuditFeed } from '../../src/storage/audit/audit-feed.ts'
import { EstateCache } from '../../src/storage/cached/estate-cache.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import type { PendingQuery } from '../../src/storage/postgres/driver.ts'
import type { Statement, Value } from '../../src/storage/statement.ts'
import type { Engine } from '../harness/databases.ts'

export interface Recorded {
  /** The request or job that sent the statement. */
  during: string
  sql: string
  parameters: readonly unknown[]
}

export interface Recorder {
  db: Db
  during: string
  statements: Recorded[]
}

/** Wraps a database so that it records every statement. Its cache is cleared by every poll. */
export function recording(db: Db, engine: Engine): Recorder {
  const keep = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    recorder.statements.push({ during: recorder.during, sql, parameters })
  }
  const kept = (statement: Statement, values: Value[]) =>
    keep(engine === 'sqlite' ? placed(statement, values) : numbered(statement, values))
  const ask: Db['ask'] = (statement, ...values) => {
    kept(statement, values)
    return db.ask(statement, ...values)
  }
  const cache = new EstateCache({ ask, pollChanges: () => 'everything' }, 1_000_000)
  const recorded = (tx: Tx): Tx => ({
    ...tx,
    query: tx.query.withPlugin(listening(tx, keep)),
    rows: (statement, ...values) => {
      kept(statement, values)
      return tx.rows(statement, ...values)
    },
    lockedRows: (statement, ...values) => {
      kept(statement, values)
      return tx.lockedRows(statement, ...values)
    },
    post: (statement, ...values) => {
      kept(statement, values)
      tx.post(statement, ...values)
    },
    postLast: (statement, ...values) => {
      kept(statement, values)
      tx.postLast(statement, ...values)
    },
  })
  const recorder: Recorder = {
    db: {
      ...db,
      ask,
      cache,
      auditFeed: new AuditFeed({ ask, stableOffset: db.stableOffset }),
      read: (work) => db.read((tx) => work(recorded(tx))),
      write: <T>(work: (tx: Tx) => Promise<T>) => db.write((tx) => work(recorded(tx))),
    },
    during: '',
    statements: [],
  }
  return recorder
}

function listening(tx: Tx, keep: (query: CompiledQuery) => void): KyselyPlugin {
  return {
    transformQuery: ({ node, queryId }) => {
      keep(tx.query.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

function placed({ positional, order }: Statement, values: Value[]) {
  return { sql: positional, parameters: order?.map((place) => values[place]) ?? values }
}

function numbered({ text }: Statement, values: Value[]) {
  return { sql: text, parameters: values }
}

/** Records the polls for changes, which engines send on their own. Spies on the driver, as they pass nowhere else. */
export async function recordPolls(
  url: string,
  engine: Engine,
  commit: (db: Db) => Promise<unknown>,
): Promise<Recorded[]> {
  const spy =
    engine === 'sqlite' ? mock.method(DatabaseSync.prototype, 'prepare') : mock.method(pg.Client.prototype, 'query')
  const db = openDatabase(url)
  // The first poll has no earlier state to compare with.
  for (let polls = 0; polls < 3; polls++) {
    await commit(db)
    await nextTurn()
    await db.cache.ensureFresh()
  }
  await db.close()
  spy.mock.restore()
  return spy.mock.calls.flatMap((call) => {
    const [sent] = call.arguments as [string | { queries?: PendingQuery[] }]
    if (typeof sent !== 'string')
      return (sent.queries ?? []).flatMap(({ statement, values }) => pollIn(statement.text, values))
    return pollIn(sent, sent.includes('?') ? [0] : [])
  })
}

function pollIn(sql: string, parameters: readonly unknown[]): Recorded[] {
  return /select.*\baudit_entry\b/s.test(sql) ? [{ during: 'a poll', sql, parameters }] : []
}
