import type { Value } from '../statement.ts'
import type { Connection } from './connection.ts'
import type { PendingQuery, Prepared } from './driver.ts'
import { isUnreachable } from './errors.ts'
import type { Pool } from './pool.ts'

/** The queries in one batch: a slow one delays those after it. Further queries use another connection. */
const maxBatchSize = 8

/** Statements outside transactions that are issued in the same tick share a connection and a round trip. */
export class QueryBatcher {
  readonly #pool: Pool
  readonly #timeoutMs: number
  #queue: PendingQuery[] = []

  constructor(pool: Pool, timeoutMs: number) {
    this.#pool = pool
    this.#timeoutMs = timeoutMs
  }

  run<Row>(statement: Prepared, values: Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ statement, values, resolve: resolve as PendingQuery['resolve'], reject })
    })
  }

  #enqueue(query: PendingQuery): void {
    if (this.#queue.length === 0) process.nextTick(this.#flush)
    this.#queue.push(query)
  }

  readonly #flush = () => {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, maxBatchSize)
      this.#pool
        .use(this.#timeoutMs, (connection) => this.#send(connection, batch))
        .catch((error) => {
          for (const { reject } of batch) reject(error)
        })
    }
  }

  async #send(connection: Connection, batch: PendingQuery[]): Promise<void> {
    const sent = batch.map(({ statement, values, resolve }) => connection.rows(statement, values).then(resolve))
    const results = await Promise.allSettled(sent)
    const failed = results.findIndex(({ status }) => status === 'rejected')
    if (failed === -1) return
    const { reason } = results[failed] as PromiseRejectedResult
    // The server skips the queries after one that failed. These run again, unless the connection broke.
    if (!isUnreachable(reason)) for (const query of batch.splice(failed + 1)) this.#enqueue(query)
    throw reason
  }
}
