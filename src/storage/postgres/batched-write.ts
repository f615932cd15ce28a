import type { BatchTx } from '../engine.ts'
import type { Value } from '../statement.ts'
import type { Connection } from './connection.ts'
import type { PendingQuery, Prepared } from './driver.ts'
import { isLocked, type Locked, tryLock } from './transaction.ts'

/** A write that waits for a batch, with callbacks that receive its result. */
export interface Job {
  work(tx: BatchTx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Ends the work of a write that cannot stay in the transaction which it shares with others: its statements throw this
 * error. The write then runs again, in a transaction of its own or in the next batch.
 */
class NeedsOwnTransaction extends Error {}

type Change = Pick<PendingQuery, 'statement' | 'values'>

/**
 * One of the writes that share a transaction. Its work gets a transaction object that only queues statements. The batch
 * sends the queued queries of all writes together, again and again until no work waits for one; it sends the queued
 * changes after all work has ended, together with the commit.
 */
export class BatchedWrite {
  readonly job: Job
  /**
   * `done`: the work has ended. `failed`: the caller has received the error. `standalone`: the write runs again in its
   * own transaction. `nextBatch`: it runs again in the next batch.
   */
  state: 'running' | 'done' | 'failed' | 'standalone' | 'nextBatch' = 'running'
  /**
   * The parameters that identify the row which the write locks, as text; undefined until the write asks for the lock.
   */
  row: string | undefined
  #queries: PendingQuery[] = []
  #changes: Change[] = []
  #lastChanges: Change[] = []
  #value: unknown
  readonly #tx: BatchTx = {
    rows: (statement, ...values) => this.#rows(statement, values),
    lockedRows: (statement, ...values) => this.#lockedRows(statement, values),
    post: (statement, ...values) => void this.#changes.push({ statement, values }),
    postLast: (statement, ...values) => void this.#lastChanges.push({ statement, values }),
    tryLock: async (name) => isLocked(await this.#rows<Locked>(tryLock, [name])),
    isExclusive: false,
  }

  constructor(job: Job) {
    this.job = job
    job.work(this.#tx).then(
      (value) => this.#onDone(value),
      (error) => (error instanceof NeedsOwnTransaction ? this.defer('standalone') : this.fail(error)),
    )
  }

  /**
   * Whether the write can stay in the batch. While its work runs, it must be waiting for a query, and must not have
   * queued a change: changes are sent after all queries, so the query would not see the change.
   */
  get isBatchable(): boolean {
    return (
      this.state !== 'running' || (this.#queries.length > 0 && this.#changes.length + this.#lastChanges.length === 0)
    )
  }

  sendQueries(connection: Connection): Promise<void>[] {
    const queries = this.#queries
    this.#queries = []
    return queries.map(({ statement, values, resolve }) => connection.rows(statement, values).then(resolve))
  }

  sendChanges(connection: Connection): Promise<unknown>[] {
    return send(connection, this.#changes)
  }

  sendLastChanges(connection: Connection): Promise<unknown>[] {
    return send(connection, this.#lastChanges)
  }

  succeed(): void {
    this.job.resolve(this.#value)
  }

  fail(error: unknown): void {
    if (this.state !== 'running' && this.state !== 'done') return
    this.state = 'failed'
    this.job.reject(error)
  }

  /** Takes the write out of the batch, to run it again in a transaction of its own or in the next batch. */
  defer(state: 'standalone' | 'nextBatch'): void {
    if (this.state !== 'running' && this.state !== 'done') return
    this.state = state
    for (const { reject } of this.#queries.splice(0)) reject(new NeedsOwnTransaction())
  }

  #onDone(value: unknown): void {
    if (this.state !== 'running') return
    this.state = 'done'
    this.#value = value
  }

  #rows<Row>(statement: Prepared, values: Value[]): Promise<Row[]> {
    if (this.state !== 'running') return Promise.reject(new NeedsOwnTransaction())
    return new Promise((resolve, reject) => {
      this.#queries.push({ statement, values, resolve: resolve as PendingQuery['resolve'], reject })
    })
  }

  async #lockedRows<Row>({ name, text }: Prepared, values: Value[]): Promise<Row[]> {
    if (this.row !== undefined) throw new NeedsOwnTransaction()
    this.row = JSON.stringify(values)
    const rows = await this.#rows<Row>({ name: `${name}_try`, text: `${text} for update skip locked` }, values)
    // Either the row does not exist, or another transaction has locked it. The write runs again in a transaction of its
    // own, which can wait for that lock.
    if (rows.length === 0) throw new NeedsOwnTransaction()
    return rows
  }
}

function send(connection: Connection, changes: Change[]): Promise<unknown>[] {
  return changes.map(({ statement, values }) => connection.rows(statement, values))
}
