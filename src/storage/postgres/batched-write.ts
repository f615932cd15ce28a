import type { BatchTx } from '../engine.ts'
import type { Value } from '../statement.ts'
import type { Prepared } from './batch.ts'
import type { Connection } from './connection.ts'
import { isLocked, type Locked, tryLock } from './locks.ts'

/** A write with the callbacks of its caller. */
export interface Job {
  work(tx: BatchTx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Thrown into the work of a write that cannot share a transaction. The work is run again. */
class NeedsOwnTransaction extends Error {}

interface PendingQuery {
  statement: Prepared
  values: Value[]
  resolve(rows: unknown[]): void
  reject(error: Error): void
}

type Change = Pick<PendingQuery, 'statement' | 'values'>

/**
 * One of the writes that share a transaction. Its work runs against a transaction that queues: queries until the batch
 * sends them, changes until the work is done, when they are sent together with the commit.
 */
export class BatchedWrite {
  readonly job: Job
  /** `failed` writes were refused and their callers know; `standalone` and `nextBatch` ones are run again. */
  state: 'running' | 'done' | 'failed' | 'standalone' | 'nextBatch' = 'running'
  /** Identifies the row that the write locks; undefined until it asks for it. */
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
   * Whether the write can continue in the batch. A query after a change could not see the change, which has not been
   * sent.
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

  /** Takes the write out of the batch, to be run again in a transaction of its own or in the next batch. */
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
    // The row is locked by another transaction or does not exist. A transaction of its own finds out which.
    if (rows.length === 0) throw new NeedsOwnTransaction()
    return rows
  }
}

function send(connection: Connection, changes: Change[]): Promise<unknown>[] {
  return changes.map(({ statement, values }) => connection.rows(statement, values))
}
