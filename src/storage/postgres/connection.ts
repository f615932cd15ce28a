import type { Socket } from 'node:net'
import pg from 'pg'
import { statement, type Value } from '../statement.ts'
import { setActiveTimeout } from './active-timeout.ts'
import { Batch, type Part, type Prepared, type Shapes } from './batch.ts'
import { asSubmittable, wireOf } from './driver.ts'
import { errorWithCode, readOnlyCode, sessionChangedCode, timeoutCode } from './errors.ts'

const int8 = 20
const connectTimeoutMs = 3000
/** Parameters that the server reports when a connection is made and whenever they change. */
const readOnlyParameters = new Set(['in_hot_standby', 'default_transaction_read_only'])
/** Settings are applied by a statement, as poolers refuse or silently drop unknown startup parameters. */
const applySettings = statement<{ read_only: string }>(`
  select current_setting('transaction_read_only') as read_only, count(set_config(key, value, false))
  from json_each_text($1)`)

export interface ConnectionOptions {
  url: string
  /** The primary's generation in which the connection is opened; see `Primary`. */
  generation?: number
  /** Settings of the session, such as timeouts, by name. */
  settings?: Record<string, string>
  /** Called when the connection breaks after it was made. */
  onLost?: (error: Error) => void
}

/**
 * A connection that pipelines batches of prepared statements. Invariant: it leads to a server that accepts writes. It is
 * destroyed when the server turns out to be read-only, at connect or later, so that a standby is never read from.
 */
export class Connection extends pg.Client {
  /** The server process of this session, as named when the connection was made. */
  declare readonly processID: number | null
  readonly generation: number
  /** Whether a commit was acknowledged that the synchronous standby may not have. */
  isInDoubt = false
  isBroken = false
  readonly #settings: Record<string, string>
  readonly #shapes: Shapes = new Map()
  #parts: Part[] = []

  constructor({ url, generation = 0, settings = {}, onLost = () => {} }: ConnectionOptions) {
    super({
      connectionString: url,
      application_name: 'atrium',
      keepAlive: true,
      // Lets the driver send a query before the responses to earlier ones have arrived.
      pipeline: true,
      types: {
        getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
      },
    } as pg.ClientConfig)
    this.generation = generation
    this.#settings = settings
    // An `error` event without a listener would end the process. The pending query rejects on its own.
    this.on('error', (error) => {
      this.isBroken = true
      onLost(error)
    })
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (readOnlyParameters.has(parameterName) && parameterValue === 'on') this.fail(readOnlyError())
    })
    this.#wire.on('errorMessage', ({ code }) => {
      if (code === readOnlyCode) this.fail(readOnlyError())
      if (code === sessionChangedCode)
        this.fail(errorWithCode(code, 'the server behind this connection is not the one it was'))
    })
    this.#wire.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.isInDoubt = true
    })
  }

  /**
   * Resolves or calls back once. The driver's own callback would report success for a connection that failed in the same
   * chunk of input, and its own timeout would count time in which this process did not run.
   */
  override connect: pg.Client['connect'] = (...[done]: unknown[]) => {
    const connected = this.withTimeout(connectTimeoutMs, super.connect()).then(() => this.#apply())
    if (typeof done !== 'function') return connected as never
    connected.then(() => done(), done as (error: unknown) => void)
    return undefined as never
  }

  /**
   * Applies the settings without waiting: if that fails, the connection and what was sent after it fail. Flushed as a
   * batch of its own, since it must not be part of the first transaction.
   */
  #apply(): void {
    this.send({
      statement: applySettings,
      values: [JSON.stringify(this.#settings)],
      resolve: ([row]) => {
        if (row?.read_only !== 'off') this.fail(readOnlyError())
      },
      reject: (error) => this.fail(error),
    })
    this.#flush()
  }

  get #wire() {
    return wireOf(this)
  }

  get stream(): Socket {
    return this.#wire.stream
  }

  /** Returns the rows of a prepared statement. */
  rows<Row>(statement: Prepared, values: Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.send({ statement, values, resolve: (rows) => resolve(rows as Row[]), reject })
    })
  }

  /** Runs a statement without parameters. Returns the server's command tag, such as `COMMIT`. */
  command(text: string): Promise<string> {
    const statement = { name: text, text }
    return new Promise((resolve, reject) => {
      this.send({ statement, values: [], resolve: (_rows, command) => resolve(command), reject })
    })
  }

  /** Rolls back. Returns false when that fails, after which the connection must not be reused. */
  rollback(): Promise<boolean> {
    return this.query('rollback').then(
      () => true,
      () => false,
    )
  }

  /** Queues a statement. Those queued in the same tick are sent in one write. */
  send(part: Part): void {
    if (this.#parts.length === 0) process.nextTick(this.#flush)
    this.#parts.push(part)
  }

  /** Sends a query of the driver's own, after the statements queued so far. */
  override query: pg.Client['query'] = (...order: unknown[]) => {
    this.#flush()
    return (super.query as (...order: unknown[]) => never)(...order)
  }

  readonly #flush = () => {
    if (this.#parts.length === 0) return
    const batch = new Batch(this.#parts, this.#shapes, (type) => this.getTypeParser(type, 'text'))
    this.#parts = []
    super.query(asSubmittable(batch))
  }

  /** Destroys the connection: pending queries reject with this error, and later input is ignored. */
  fail(error: Error): void {
    if (!this.isBroken) this.#wire.emit('error', error)
    this.stream.destroy()
  }

  /** Fails the connection unless the returned function is called within the time. */
  startTimeout(timeoutMs: number): () => void {
    if (timeoutMs === Infinity) return () => {}
    return setActiveTimeout(timeoutMs, () => this.fail(timeoutError()))
  }

  async withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
    const cancel = this.startTimeout(timeoutMs)
    try {
      return await work
    } finally {
      cancel()
    }
  }
}

export function timeoutError(): Error {
  return errorWithCode(timeoutCode, 'the server did not respond in time')
}

function readOnlyError(): Error {
  return errorWithCode(readOnlyCode, 'the server takes no writes')
}
