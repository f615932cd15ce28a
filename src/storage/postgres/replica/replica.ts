import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EngineOptions, Finding, ReplicaRead, Tx } from '../../engine.ts'
import type { Statement, Value } from '../../statement.ts'
import type { Connection } from '../connection.ts'
import { isUnavailable } from '../errors.ts'
import { Pool } from '../pool.ts'
import { inTransaction } from '../transaction.ts'
import { Candidates } from './candidates.ts'
import { inspectReplica } from './inspect.ts'
import {
  anyCommitted,
  type Open,
  openBefore,
  type Position,
  type StandbyState,
  standbyState,
  takePosition,
} from './position.ts'

// Reads on a standby (hot standby of PostgreSQL's streaming replication) that are never stale. A read
//
// 1. asks the primary for the end of its write-ahead log, which covers every commit that is visible there;
// 2. waits until the standby has replayed the log up to there, and only then takes its snapshot;
// 3. asks the primary whether it still has transactions open that the snapshot shows as committed, and waits for their
//    end: a standby can show a commit before the primary does, which may wait for a synchronous standby. A later read
//    on the primary would otherwise not see what this one saw.
//
// When a standby is behind for longer than `maxWaitMs`, was promoted, follows another history of the log or fails, the
// read runs on the primary, and so do those of the next second. Costs two round trips to the primary and two to the
// standby, so it pays for reads that are long or many, not for those that find one row.

/** How long a read waits for the standby to catch up, and for the primary to show what the standby shows. */
const maxWaitMs = 50
/** How long the standby may take for steps 2 and 3 before its connection counts as broken. */
const checkTimeoutMs = 1000
/** How long the standby is not used after a read fell back to the primary. */
const pauseMs = 1000
/** The maximum number of connections to a standby. They are opened when they are needed. */
const maxConnections = 10

interface ReplicaOptions {
  onReplicaRead: EngineOptions['onReplicaRead']
  onReplicaChange: EngineOptions['onReplicaChange']
  askPrimary<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  timeoutMs: number
}

type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** Thrown when the standby must not serve a read. */
class NotUsed extends Error {
  readonly outcome: ReplicaRead

  constructor(outcome: ReplicaRead, message: string) {
    super(message)
    this.outcome = outcome
  }
}

/** Thrown when the primary fails, without which no read can be served. */
class PrimaryFailed extends Error {}

export class Replica {
  readonly #candidates: Candidates
  readonly #pool: Pool
  readonly #options: ReplicaOptions
  /** The time (of `performance.now()`) until which all reads run on the primary. */
  #pausedUntilMs = 0
  #isProven = false
  #isUsed: boolean | undefined

  constructor(url: string, options: ReplicaOptions) {
    this.#candidates = new Candidates(url)
    this.#pool = new Pool(this.#candidates, maxConnections, {})
    this.#options = options
  }

  /** Runs the work on the standby. If that must not be used or fails meanwhile, runs the work on the primary. */
  async read<T>(work: (tx: Tx) => Promise<T>, onPrimary: Read): Promise<T> {
    const served = await this.#attempt(work)
    const isDone = typeof served !== 'string'
    this.#options.onReplicaRead?.(isDone ? 'replica' : served)
    return isDone ? served.result : onPrimary(work)
  }

  /** Returns the result, or why the primary must do the work. */
  async #attempt<T>(work: (tx: Tx) => Promise<T>): Promise<{ result: T } | ReplicaRead> {
    const nowMs = performance.now()
    if (nowMs < this.#pausedUntilMs) return 'paused'
    // At first and after a failure, lets only one read try the standby at a time.
    if (!this.#isProven) this.#pausedUntilMs = nowMs + pauseMs
    let isChecked = false
    const checked = (tx: Tx) => {
      isChecked = true
      this.#onSuccess()
      return work(tx)
    }
    try {
      return { result: await this.#run(checked) }
    } catch (error) {
      if (error instanceof PrimaryFailed) throw error.cause
      if (isChecked && !isOfStandby(error)) throw error
      return this.#onFailure(error)
    }
  }

  #onSuccess(): void {
    this.#pausedUntilMs = 0
    this.#isProven = true
    this.#report(true)
  }

  #onFailure(error: unknown): ReplicaRead {
    const read = error instanceof NotUsed ? error.outcome : 'failed'
    this.#pausedUntilMs = performance.now() + pauseMs
    this.#isProven = false
    // A standby may be behind for a moment many times a day, so that is not reported.
    if (read !== 'behind' && read !== 'ahead') this.#report(false, error)
    this.#candidates.next()
    return read
  }

  #report(isUsed: boolean, reason?: unknown): void {
    if (this.#isUsed === isUsed) return
    this.#isUsed = isUsed
    this.#options.onReplicaChange?.({ server: this.#candidates.name, isUsed, reason })
  }

  /** Runs work on the standby, in a snapshot with every commit that the primary shows, and none that it does not. */
  async #run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const position = await this.#askPrimary(takePosition)
    let before: StandbyState | undefined
    let cancelTimeout = () => {}
    const prepare = async (connection: Connection) => {
      cancelTimeout = connection.startTimeout(checkTimeoutMs)
      before = await replayed(connection, position)
    }
    const checked = async (tx: Tx) => {
      const snapshot = await stateOf(tx.rows, position)
      assertSame(snapshot, position)
      if (snapshot.session !== before?.session)
        throw new NotUsed('unusable', 'the connection leads to changing servers')
      await this.#visibleOnPrimary(tx, snapshot, position)
      cancelTimeout()
      return work(tx)
    }
    const begin = ['begin isolation level repeatable read read only']
    try {
      return await inTransaction(this.#pool, this.#options.timeoutMs, begin, checked, prepare)
    } finally {
      cancelTimeout()
    }
  }

  /** Waits until everything that the snapshot shows is visible on the primary. */
  async #visibleOnPrimary(tx: Tx, { xmax }: StandbyState, { identity }: Position): Promise<void> {
    await waitUntil('ahead', async () => {
      const primary: Open = await this.#askPrimary(openBefore, xmax)
      if (primary.identity !== identity) throw new NotUsed('unusable', 'another server became the primary')
      if (!primary.is_complete) return false
      if (primary.open === '{}') return true
      const [row] = await tx.rows(anyCommitted, primary.open)
      return row?.is_committed === false
    })
  }

  async #askPrimary<Row>(statement: Statement<Row>, ...values: Value[]): Promise<Row> {
    try {
      const [row] = await this.#options.askPrimary((connection) => connection.rows<Row>(statement, values))
      return row as Row
    } catch (cause) {
      throw new PrimaryFailed('the primary failed', { cause })
    }
  }

  async inspect(): Promise<Finding[]> {
    return inspectReplica(this.#candidates, await this.#askPrimary(takePosition))
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

/** Returns whether an error in the middle of the work comes from the standby or the connection to it. */
function isOfStandby(error: unknown): boolean {
  return error instanceof pg.DatabaseError || isUnavailable(error)
}

/** Waits until the standby has replayed the write-ahead log up to a position. */
async function replayed(connection: Connection, position: Position): Promise<StandbyState> {
  let state: StandbyState | undefined
  await waitUntil('behind', async () => {
    state = await stateOf((statement, ...values) => connection.rows(statement, values), position)
    assertSame(state, position)
    return state.has_replayed
  })
  return state as StandbyState
}

async function stateOf(rows: Tx['rows'], { position }: Position): Promise<StandbyState> {
  const [state] = await rows(standbyState, position)
  return state as StandbyState
}

/** Throws unless the server is a standby that receives the primary's write-ahead log. */
function assertSame(state: StandbyState, { identity }: Position): void {
  if (!state.is_standby) throw new NotUsed('unusable', 'the server is no standby')
  if (state.identity === identity) return
  throw new NotUsed(
    'unusable',
    `the server does not show that it follows the primary: ${state.identity}, not ${identity}`,
  )
}

const messages = {
  behind: 'the standby is behind the primary',
  ahead: 'the standby shows commits that wait on the primary, for example for a synchronous standby',
}

async function waitUntil(outcome: keyof typeof messages, isDone: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + maxWaitMs
  for (let delayMs = 1; !(await isDone()); delayMs *= 2) {
    if (performance.now() >= endMs) throw new NotUsed(outcome, messages[outcome])
    await sleep(delayMs)
  }
}
