import { Refusal } from '../domain/refusal.ts'
import type { Engine, Tx } from './engine.ts'
import { Memory } from './memory/memory.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite, sqliteFile } from './sqlite.ts'

export type Timed = (kind: 'read' | 'write', seconds: number) => void

export interface DatabaseOptions {
  timed?: Timed
  /** What may be remembered of it. */
  memoryBytes?: number
}

export interface Db {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  ask: Engine['ask']
  settled(): Promise<number>
  erase(): Promise<boolean>
  memory: Memory
  /** Takes a name within this process until it is released; nothing when it is taken. */
  claim(name: string): (() => void) | undefined
  inspect: Engine['inspect']
  explain: Engine['explain']
  close(): Promise<void>
}

const triesAtMost = 4
const onServer = /^postgres(ql)?:/
const standardMemoryBytes = 100_663_296

/** What was remembered turned out to be old inside a transaction: worth another try. */
export class Overtaken extends Error {}

/** The file that holds the database; nothing when a server does. Opening makes a file that is not there. */
export function databaseFile(url: string): string | undefined {
  return onServer.test(url) ? undefined : sqliteFile(url)
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  const { timed = () => {}, memoryBytes = standardMemoryBytes } = options
  const engine = onServer.test(url) ? openPostgres(url) : openSqlite(url)
  const guard = guarded(engine)
  const ask: Engine['ask'] = (asked, ...values) => guard(() => engine.ask(asked, ...values))
  const memory = new Memory({ ask, look: () => guard(engine.look) }, memoryBytes)
  const run = async <T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> => {
    const startMs = performance.now()
    try {
      return await guard(work)
    } finally {
      timed(kind, (performance.now() - startMs) / 1000)
    }
  }
  const isWorthAnotherTry = (error: unknown) => error instanceof Overtaken || engine.isConflict(error)
  return {
    read: (work) => run('read', () => engine.read(work)),
    write: (work) => retrying(() => run('write', () => engine.write(work, () => memory.expire())), isWorthAnotherTry),
    ask,
    settled: async () => guard(engine.settled),
    erase: async () => guard(engine.erase),
    memory,
    claim: claims(),
    inspect: engine.inspect,
    explain: engine.explain,
    close: engine.close,
  }
}

/** Says in the domain's words that the database cannot be used, at once or later. */
function guarded({ isUnavailable }: Engine): <R>(work: () => R) => R {
  const translated = (error: unknown) => (isUnavailable(error) ? unavailable(error) : error)
  return <R>(work: () => R): R => {
    try {
      const result = work()
      if (!(result instanceof Promise)) return result
      return result.catch((error) => {
        throw translated(error)
      }) as R
    } catch (error) {
      throw translated(error)
    }
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

async function retrying<T>(work: () => Promise<T>, isWorthIt: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthIt(error)) throw error
      if (attempt === triesAtMost) throw unavailable(error)
    }
  }
}
