import type { BatchTx } from '../engine.ts'
import type { Value } from '../statement.ts'
import type { Prepared } from './batch.ts'
import type { Connection } from './connection.ts'
import { isLocked, type Locked, tryLock } from './locks.ts'

/** A write, and what its caller hears of it. */
export interface Job {
  work(tx: BatchTx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** It cannot be done beside others in one transaction. */
export class Alone extends Error {}

interface Asked {
  statement: Prepared
  values: Value[]
  resolve(rows: unknown[]): void
  reject(error: Error): void
}

type Change = Pick<Asked, 'statement' | 'values'>

/** One of several writes that share a transaction. What it changes is kept until it is done, and sent with the commit. */
export class BatchedWrite {
  readonly job: Job
  /** `asking` until it is done; `failed` has been told to its caller; the others are done again. */
  state: 'asking' | 'done' | 'failed' | 'apart' | 'again' = 'asking'
  /** What it has locked, or wants to. */
  row: string | undefined
  #asked: Asked[] = []
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
      (value) => this.#done(value),
      (error) => (error instanceof Alone ? this.leave('apart') : this.fail(error)),
    )
  }

  /** What it changes is sent at the end, so that it would not find it. */
  get isWaitingForRowsOnly(): boolean {
    return this.state !== 'asking' || (this.#asked.length > 0 && this.#changes.length + this.#lastChanges.length === 0)
  }

  ask(connection: Connection): Promise<void>[] {
    const asked = this.#asked
    this.#asked = []
    return asked.map(({ statement, values, resolve }) => connection.rows(statement, values).then(resolve))
  }

  change(connection: Connection): Promise<unknown>[] {
    return send(connection, this.#changes)
  }

  changeLast(connection: Connection): Promise<unknown>[] {
    return send(connection, this.#lastChanges)
  }

  succeed(): void {
    this.job.resolve(this.#value)
  }

  fail(error: unknown): void {
    if (this.state !== 'asking' && this.state !== 'done') return
    this.state = 'failed'
    this.job.reject(error)
  }

  leave(state: 'apart' | 'again'): void {
    if (this.state !== 'asking' && this.state !== 'done') return
    this.state = state
    for (const { reject } of this.#asked.splice(0)) reject(new Alone())
  }

  #done(value: unknown): void {
    if (this.state !== 'asking') return
    this.state = 'done'
    this.#value = value
  }

  #rows<Row>(statement: Prepared, values: Value[]): Promise<Row[]> {
    if (this.state !== 'asking') return Promise.reject(new Alone())
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, values, resolve: resolve as Asked['resolve'], reject })
    })
  }

  async #lockedRows<Row>({ name, text }: Prepared, values: Value[]): Promise<Row[]> {
    if (this.row !== undefined) throw new Alone()
    this.row = JSON.stringify(values)
    const rows = await this.#rows<Row>({ name: `${name}_try`, text: `${text} for update skip locked` }, values)
    // Somebody else has it, or there is none.
    if (rows.length === 0) throw new Alone()
    return rows
  }
}

function send(connection: Connection, changes: Change[]): Promise<unknown>[] {
  return changes.map(({ statement, values }) => connection.rows(statement, values))
}
