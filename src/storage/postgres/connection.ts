import type { Socket } from 'node:net'
import pg from 'pg'
import type { Value } from '../statement.ts'
import { Batch, type Part, type Prepared, type Shapes } from './batch.ts'
import { coded, noAnswerCode, readOnlyCode } from './errors.ts'
import { afterWaiting } from './patience.ts'
import { type ReadingSide, readRowsOf } from './replies.ts'
import { thriftySocket } from './socket.ts'

const int8 = 20
/** A server that cannot be reached is not worth more. */
const connectWithinMs = 3000
/** The server tells these by itself: when a connection is made, and when they change. */
const readOnlyMarks = new Set(['in_hot_standby', 'default_transaction_read_only'])

interface Wire extends ReadingSide {
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
  readonly #shapes: Shapes = new Map()
  #batch: Part[] = []

  constructor(url: string, era: number, options: pg.ClientConfig) {
    super({
      ...options,
      connectionString: url,
      application_name: 'atrium',
      keepAlive: true,
      stream: thriftySocket,
      types: {
        getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
      },
    })
    this.era = era
    readRowsOf(this.#wire)
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

  /** Not by the driver's own limit, which would count the time in which nothing ran. */
  override connect: pg.Client['connect'] = (...done: unknown[]) => {
    const lift = this.limit(connectWithinMs)
    this.once('connect', lift).once('end', lift)
    return (super.connect as (...done: unknown[]) => never)(...done)
  }

  get #wire(): Wire {
    return (this as unknown as { connection: Wire }).connection
  }

  get stream(): Socket {
    return this.#wire.stream
  }

  /** The rows of a prepared statement. */
  rows<Row>(statement: Prepared, values: Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.send({ statement, values, resolve: (rows) => resolve(rows as Row[]), reject })
    })
  }

  /** Carries out a statement without values, and tells what the server says that it did. */
  command(text: string): Promise<string> {
    const statement = { name: text, text }
    return new Promise((resolve, reject) => {
      this.send({ statement, values: [], resolve: (_rows, command) => resolve(command), reject })
    })
  }

  isRolledBack(): Promise<boolean> {
    return this.query('rollback').then(
      () => true,
      () => false,
    )
  }

  /** What is sent in one go of the event loop's queues leaves in one write. */
  send(part: Part): void {
    if (this.#batch.length === 0) process.nextTick(this.#leave)
    this.#batch.push(part)
  }

  /** Behind what was sent before. */
  override query: pg.Client['query'] = (...order: unknown[]) => {
    this.#leave()
    return (super.query as (...order: unknown[]) => never)(...order)
  }

  readonly #leave = () => {
    if (this.#batch.length === 0) return
    const batch = new Batch(this.#batch, this.#shapes, (type) => this.getTypeParser(type, 'text'))
    this.#batch = []
    super.query(batch as unknown as pg.Submittable)
  }

  /** Whoever waits for something on it hears of the error. */
  cut(error: Error): void {
    this.stream.destroy(error)
  }

  /** A server that is there and says nothing would be waited for without end. Gives what lifts the limit. */
  limit(withinMs: number): () => void {
    if (withinMs === Infinity) return () => {}
    return afterWaiting(withinMs, () => this.cut(noAnswer()))
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
  return coded(noAnswerCode, 'the server did not answer in time')
}
