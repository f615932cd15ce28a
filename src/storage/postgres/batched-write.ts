import type { BatchTx } from '../engine.ts'
import type { Value } from '../statement.ts'
import type { Connection } from './connection.ts'
import type { PendingQuery, Prepared } from './driver.ts'
import { isLocked, type Locked, tryLock } from './transaction.ts'

export interface Job {
  work(tx: BatchTx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Ends the work of a write that cannot stay in its batch. The write then runs again, alone or in the next batch. */
class NeedsOwnTransaction extends Error {}

type Change = Pick<PendingQuery, 'statement' | 'values'>

/**
 * One of the writes of a batch. Its work gets a transaction object that only queues statements. The batch sends the
 * queued queries of all writes together, until no work waits for one, and the changes after all work, together with the
 * commit.
 */
export class BatchedWrite {
  readonly job: Job
  /** `failed`: the caller has the error. `standalone`, `nextBatch`: it runs again, alone or in the next batch. */
  state: 'running' | 'done' | 'failed' | 'standalone' | 'nextBatch' = 'running'
  /** The parameters that identify the locked row, as text; undefined until the write asks for the lock. */
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
   * Whether the write can stay in its batch: it has ended, or it waits for a query and has made no change yet. The
   * batch sends changes after all queries, so that a query after a change would not see it.
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

  /** Takes the write out of the batch, to run again. */
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
    // The row does not exist, or another transaction has locked it: a transaction of its own can wait for that lock.
    if (rows.length === 0) throw new NeedsOwnTransaction()
    return rows
  }
}

function send(connection: Connection, changes: Change[]): Promise<unknown>[] {
  return changes.map(({ statement, values }) => connection.rows(statement, values))
}
