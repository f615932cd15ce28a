import { Refusal } from '../domain/refusal.ts'
import type { Engine, Tx } from './engine.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite, sqliteFile } from './sqlite.ts'

export type Timed = (kind: 'read' | 'write', seconds: number) => void

export interface Db {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Takes a name within this process until it is released; nothing when it is taken. */
  claim(name: string): (() => void) | undefined
  inspect: Engine['inspect']
  explain: Engine['explain']
  close(): Promise<void>
}

const triesAtMost = 4
const onServer = /^postgres(ql)?:/

/** The file that holds the database; nothing when a server does. Opening makes a file that is not there. */
export function databaseFile(url: string): string | undefined {
  return onServer.test(url) ? undefined : sqliteFile(url)
}

export function openDatabase(url: string, timed: Timed = () => {}): Db {
  const engine = onServer.test(url) ? openPostgres(url) : openSqlite(url)
  const run = async <T>(kind: 'read' | 'write', work: (tx: Tx) => Promise<T>): Promise<T> => {
    const startMs = performance.now()
    try {
      return await engine[kind](work)
    } catch (error) {
      if (!engine.isUnavailable(error)) throw error
      throw unavailable(error)
    } finally {
      timed(kind, (performance.now() - startMs) / 1000)
    }
  }
  return {
    read: (work) => run('read', work),
    write: (work) => retrying(() => run('write', work), engine.isConflict),
    claim: claims(),
    inspect: engine.inspect,
    explain: engine.explain,
    close: engine.close,
  }
}

function unavailable(cause: unknown): Refusal {
  const refusal = new Refusal('database_unavailable', 'The database cannot be used at the moment.', {
    retryAfterSeconds: 1,
  })
  refusal.cause = cause
  return refusal
}

function claims(): Db['claim'] {
  const taken = new Set<string>()
  return (name) => {
    if (taken.has(name)) return undefined
    taken.add(name)
    return () => taken.delete(name)
  }
}

async function retrying<T>(work: () => Promise<T>, isConflict: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === triesAtMost) throw unavailable(error)
    }
  }
}
