import type { Value } from '../statement.ts'
import type { Prepared } from './batch.ts'
import type { Connection } from './connection.ts'
import { isAway } from './errors.ts'
import type { Pool } from './pool.ts'

/** Those behind a long answer wait for it; more of them than this go to another connection. */
const togetherAtMost = 8

interface Question {
  statement: Prepared
  values: Value[]
  resolve(rows: unknown[]): void
  reject(error: unknown): void
}

/** Single statements, each on the newest committed state. Those of one go of the event loop's queues travel together. */
export class Questions {
  readonly #pool: Pool
  readonly #withinMs: number
  #waiting: Question[] = []

  constructor(pool: Pool, withinMs: number) {
    this.#pool = pool
    this.#withinMs = withinMs
  }

  ask<Row>(statement: Prepared, values: Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#wait({ statement, values, resolve: resolve as Question['resolve'], reject })
    })
  }

  #wait(question: Question): void {
    if (this.#waiting.length === 0) process.nextTick(this.#leave)
    this.#waiting.push(question)
  }

  readonly #leave = () => {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, togetherAtMost)
      this.#pool
        .use(this.#withinMs, (connection) => this.#send(connection, some))
        .catch((error) => {
          for (const { reject } of some) reject(error)
        })
    }
  }

  async #send(connection: Connection, questions: Question[]): Promise<void> {
    const answers = questions.map(({ statement, values, resolve }) => connection.rows(statement, values).then(resolve))
    const results = await Promise.allSettled(answers)
    const failed = results.findIndex(({ status }) => status === 'rejected')
    if (failed === -1) return
    const { reason } = results[failed] as PromiseRejectedResult
    // One that failed by itself has kept those behind it from being asked.
    if (!isAway(reason)) for (const question of questions.splice(failed + 1)) this.#wait(question)
    throw reason
  }
}
