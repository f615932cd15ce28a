import type { Socket } from 'node:net'
import pg from 'pg'
import { statement, type Value } from '../statement.ts'
import { Batch, type Part, type Prepared, type Shapes } from './batch.ts'
import { asSubmittable, wireOf } from './driver.ts'
import { coded, noAnswerCode, readOnlyCode, swappedCode } from './errors.ts'
import { afterWaiting } from './patience.ts'

const int8 = 20
/** A server that cannot be reached is not worth more. */
const connectWithinMs = 3000
/** The server tells these by itself: when a connection is made, and when they change. */
const readOnlyMarks = new Set(['in_hot_standby', 'default_transaction_read_only'])
/** Poolers refuse these as startup parameters, or drop them without a word. */
const applySettings = statement<{ read_only: string }>(`
  select current_setting('transaction_read_only') as read_only, count(set_config(key, value, false))
  from json_each_text($1)`)

export interface ConnectionOptions {
  url: string
  /** Of which age it is; see `Primary`. */
  era?: number
  /** Settings of the session. */
  settings?: Record<string, string>
  /** It broke after it was made. */
  lost?: (error: Error) => void
}

/** A connection to a server that takes writes: to any other it cannot be made, and does not stay. */
export class Connection extends pg.Client {
  /** The server's process, as it was named when the connection was made. */
  declare readonly processID: number | null
  readonly era: number
  /** A commit was acknowledged that the synchronous standby may not have. */
  isInDoubt = false
  /** Nothing can be asked over it any more. */
  isBroken = false
  readonly #settings: Record<string, string>
  readonly #shapes: Shapes = new Map()
  #batch: Part[] = []

  constructor({ url, era = 0, settings = {}, lost = () => {} }: ConnectionOptions) {
    super({
      connectionString: url,
      application_name: 'atrium',
      keepAlive: true,
      // Statements are sent as they come, without waiting for the answers to those before.
      pipeline: true,
      types: {
        getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
      },
    } as pg.ClientConfig)
    this.era = era
    this.#settings = settings
    // What breaks leaves the pool, and its query fails; unheard, its error would end the process.
    this.on('error', (error) => {
      this.isBroken = true
      lost(error)
    })
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (readOnlyMarks.has(parameterName) && parameterValue === 'on') this.cut(takesNoWrites())
    })
    this.#wire.on('errorMessage', ({ code }) => {
      if (code === readOnlyCode) this.cut(takesNoWrites())
      if (code === swappedCode) this.cut(coded(code, 'the server behind this connection is not the one it was'))
    })
    this.#wire.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.isInDoubt = true
    })
  }

  /** Calls once: the driver would call a connection made although it was cut in the same piece of what was read. */
  override connect: pg.Client['connect'] = (...[done]: unknown[]) => {
    // Not by the driver's own limit, which would count the time in which nothing ran.
    const made = this.within(connectWithinMs, super.connect()).then(() => this.#apply())
    if (typeof done !== 'function') return made as never
    made.then(() => done(), done as (error: unknown) => void)
    return undefined as never
  }

  /**
   * Is not waited for: what is sent behind it fails if it does. It leaves by itself, as it must not be part of the first
   * transaction, whose end it would share.
   */
  #apply(): void {
    this.send({
      statement: applySettings,
      values: [JSON.stringify(this.#settings)],
      resolve: ([row]) => {
        if (row?.read_only !== 'off') this.cut(takesNoWrites())
      },
      reject: (error) => this.cut(error),
    })
    this.#leave()
  }

  get #wire() {
    return wireOf(this)
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
    super.query(asSubmittable(batch))
  }

  /** Whoever waits for something on it hears of the error, and of nothing that was read after it. */
  cut(error: Error): void {
    if (!this.isBroken) this.#wire.emit('error', error)
    this.stream.destroy()
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

function takesNoWrites(): Error {
  return coded(readOnlyCode, 'the server takes no writes')
}
