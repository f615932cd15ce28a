import { Refusal } from '../domain/refusal.ts'
import { Journal } from './audit/audit-feed.ts'
import { EstateCache } from './cached/estate-cache.ts'
import type { BatchTx, Durability, Engine, EngineOptions, Tx } from './engine.ts'
import { Outage, type OutageReport } from './outage.ts'
import { openPostgres } from './postgres/engine.ts'
import { openSqlite, sqliteFile } from './sqlite/engine.ts'

export type Work = 'read' | 'write'

export type Timed = (kind: Work, seconds: number) => void
/** Of one statement outside of transactions. */
export type TimedQuestion = (seconds: number) => void

export interface DatabaseOptions extends EngineOptions {
  timed?: Timed
  timedQuestion?: TimedQuestion | undefined
  /** Throws when there is too much to do already; a question is one statement outside of transactions. */
  admit?: (work: Work | 'question', underWay: number) => void
  /** What may be remembered of it. */
  memoryBytes?: number
  /** Hears when the database cannot be used, and when it can again. */
  outage?: OutageReport
}

const silent: OutageReport = { away: () => {}, back: () => {} }

export interface Write {
  <T>(work: (tx: Tx) => Promise<T>, options?: { durability: Durability }): Promise<T>
  /** For work that locks one row before it asks for anything else: it can share a transaction, or begin again in its own. */
  <T>(work: (tx: BatchTx) => Promise<T>, options: { batch: true }): Promise<T>
}

export interface Db {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  write: Write
  ask: Engine['ask']
  settled(): Promise<number>
  erase(): Promise<boolean>
  cache: EstateCache
  /** For those who follow what is committed. */
  journal: Journal
  /** Transactions and questions that wait or run. */
  readonly underWay: Readonly<Record<Work, number>>
  /** Takes a name within this process until it is released; nothing when it is taken. */
  claim(name: string): (() => void) | undefined
  readonly systemName: Engine['systemName']
  inspect: Engine['inspect']
  explain: Engine['explain']
  close(): Promise<void>
}

interface WriteOptions {
  durability?: Durability
  batch?: true
}

const triesAtMost = 4
const onServer = /^postgres(ql)?:/
const standardMemoryBytes = 125_829_120

/** What was remembered turned out to be old inside a transaction: worth another try. */
export class Overtaken extends Error {}

/** The file that holds the database; nothing when a server does. Opening makes a file that is not there. */
export function databaseFile(url: string): string | undefined {
  return onServer.test(url) ? undefined : sqliteFile(url)
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  const { timed = () => {}, memoryBytes = standardMemoryBytes, admit = () => {} } = options
  const engine = onServer.test(url) ? openPostgres(url, options) : openSqlite(url, options)
  const outage = new Outage(options.outage ?? silent)
  const guard = guarded(engine, outage)
  const underWay = { read: 0, write: 0 }
  const question: Engine['ask'] = (asked, ...values) => {
    admit('question', underWay.read)
    const answer = guard(() => engine.ask(asked, ...values))
    return answer instanceof Promise ? counted(underWay, 'read', answer) : answer
  }
  const ask = timing(question, options.timedQuestion)
  const cache = new EstateCache({ ask, look: () => guard(engine.look) }, memoryBytes)
  const run = async <T>(kind: Work, work: () => Promise<T>): Promise<T> => {
    const startMs = performance.now()
    try {
      return await counted(underWay, kind, guard(work))
    } finally {
      timed(kind, (performance.now() - startMs) / 1000)
    }
  }
  const settled = async () => guard(engine.settled)
  const isWorthAnotherTry = (error: unknown) => error instanceof Overtaken || engine.isConflict(error)
  const attempt = <T>(once: () => Promise<T>) => {
    admit('write', underWay.write)
    return retrying(() => run('write', once), isWorthAnotherTry, outage)
  }
  return {
    read: async (work) => {
      admit('read', underWay.read)
      return run('read', () => engine.read(work))
    },
    write: writing(engine, () => cache.expire(), attempt),
    ask,
    settled,
    erase: () => guard(engine.erase),
    cache,
    journal: new Journal({ ask, settled }),
    underWay,
    claim: claims(),
    systemName: engine.systemName,
    inspect: engine.inspect,
    explain: engine.explain,
    close: engine.close,
  }
}

function writing(engine: Engine, moved: () => void, attempt: <T>(once: () => Promise<T>) => Promise<T>): Write {
  return async <T>(work: (tx: Tx) => Promise<T>, { batch, durability = 'full' }: WriteOptions = {}) =>
    attempt(() => {
      // Work that can share a transaction asks for less than one of its own gives.
      if (batch) return engine.writeInBatch(work as (tx: BatchTx) => Promise<T>, moved)
      return engine.write(work, durability, moved)
    })
}

function timing(ask: Engine['ask'], timed: TimedQuestion | undefined): Engine['ask'] {
  if (timed === undefined) return ask
  return (asked, ...values) => {
    const startMs = performance.now()
    const note = () => timed((performance.now() - startMs) / 1000)
    const answer = ask(asked, ...values)
    if (answer instanceof Promise) return answer.finally(note)
    note()
    return answer
  }
}

async function counted<T>(underWay: Record<Work, number>, kind: Work, work: Promise<T>): Promise<T> {
  underWay[kind]++
  try {
    return await work
  } finally {
    underWay[kind]--
  }
}

/** Says in the domain's words that the database cannot be used, at once or later. */
function guarded({ isUnavailable }: Engine, outage: Outage): <R>(work: () => R) => R {
  const translated = (error: unknown) => (isUnavailable(error) ? unavailable(error, outage) : error)
  const succeeded = <T>(result: T) => {
    outage.succeeded()
    return result
  }
  return <R>(work: () => R): R => {
    try {
      const result = work()
      if (!(result instanceof Promise)) return succeeded(result)
      return result.then(succeeded, (error) => {
        throw translated(error)
      }) as R
    } catch (error) {
      throw translated(error)
    }
  }
}

function unavailable(cause: unknown, outage: Outage): Refusal {
  outage.failed(cause)
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

async function retrying<T>(work: () => Promise<T>, isWorthIt: (error: unknown) => boolean, outage: Outage): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthIt(error)) throw error
      if (attempt === triesAtMost) throw unavailable(error, outage)
    }
  }
}
