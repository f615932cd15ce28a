import type { CompiledQuery, KyselyPlugin } from 'kysely'
import type { Db } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'

export interface Recorded {
  /** What was going on when the statement was sent. */
  during: string
  sql: string
  parameters: readonly unknown[]
}

export interface Recorder {
  db: Db
  during: string
  statements: Recorded[]
}

/** The same database, which also keeps every statement that goes through it. */
export function recording(db: Db): Recorder {
  const recorder: Recorder = {
    db: {
      ...db,
      read: (work) => db.read((tx) => work(recorded(tx))),
      write: (work) => db.write((tx) => work(recorded(tx))),
    },
    during: '',
    statements: [],
  }
  const recorded = (tx: Tx): Tx => {
    const keep = ({ sql, parameters }: CompiledQuery) => {
      recorder.statements.push({ during: recorder.during, sql, parameters })
    }
    const plugin: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        keep(tx.query.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    return { ...tx, query: tx.query.withPlugin(plugin) }
  }
  return recorder
}
