import type { Socket } from 'node:net'
import pg from 'pg'
import type { Statement, Value } from '../statement.ts'
import { coded, readOnlyCode } from './errors.ts'

const int8 = 20
/** A server that cannot be reached is not worth more. */
export const connectWithinMs = 3000
/** The server tells these by itself: when a connection is made, and when they change. */
const readOnlyMarks = new Set(['in_hot_standby', 'default_transaction_read_only'])

interface Wire {
  stream: Socket
  on(event: 'parameterStatus', heard: (status: { parameterName: string; parameterValue: string }) => void): void
  on(event: 'notice', heard: (notice: { routine?: string }) => void): void
}

/** A connection to a server that takes writes: to any other it cannot be made, and does not stay. */
export class Connection extends pg.Client {
  /** Of which age it is; see `Primary`. */
  readonly era: number
  /** A commit was acknowledged that the synchronous standby may not have. */
  isInDoubt = false

  constructor(url: string, era: number, options: pg.ClientConfig) {
    super({
      ...options,
      connectionString: url,
      application_name: 'atrium',
      keepAlive: true,
      connectionTimeoutMillis: connectWithinMs,
      types: {
        getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
      },
    })
    this.era = era
    // What breaks leaves the pool, and its query fails; unheard, its error would end the process.
    this.on('error', () => {})
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (!readOnlyMarks.has(parameterName) || parameterValue !== 'on') return
      this.cut(coded(readOnlyCode, 'the server takes no writes'))
    })
    this.#wire.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.isInDoubt = true
    })
  }

  get #wire(): Wire {
    return (this as unknown as { connection: Wire }).connection
  }

  get stream(): Socket {
    return this.#wire.stream
  }

  /** Whoever waits for something on it hears of the error. */
  cut(error: Error): void {
    this.stream.destroy(error)
  }

  /** A server that is there and says nothing would be waited for without end. Gives what lifts the limit. */
  limit(withinMs: number): () => void {
    if (withinMs === Infinity) return () => {}
    const timer = setTimeout(() => this.cut(noAnswer()), withinMs)
    return () => clearTimeout(timer)
  }

  async within<T>(withinMs: number, work: Promise<T>): Promise<T> {
    const lift = this.limit(withinMs)
    try {
      return await work
    } finally {
      lift()
    }
  }
}

export function noAnswer(): Error {
  return coded('ETIMEDOUT', 'the server did not answer in time')
}

export async function rowsOf<Row>(
  connection: Pick<pg.Client, 'query'>,
  { name, text }: Pick<Statement<Row>, 'name' | 'text'>,
  values: Value[],
): Promise<Row[]> {
  const { rows } = await connection.query({ name, text, values })
  return rows
}
