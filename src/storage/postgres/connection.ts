import type { Socket } from 'node:net'
import pg from 'pg'
import { statement, type Value } from '../statement.ts'
import { asSubmittable, Batch, type PendingQuery, type Prepared, type Shapes, wireOf } from './driver.ts'
import { errorWithCode, notStandbyCode, readOnlyCode, sessionChangedCode, timeoutCode } from './errors.ts'

const int8 = 20
/** How long connecting may take. Shorter for a standby: a read waits this long before it uses the primary instead. */
const connectTimeoutMs = { primary: 3000, standby: 1000 }
/** Server parameters and the value that they must not have. The server reports them at connect and on changes. */
const refusedParameters = {
  primary: new Map([
    ['in_hot_standby', 'on'],
    ['default_transaction_read_only', 'on'],
  ]),
  standby: new Map([['in_hot_standby', 'off']]),
}
/** Sets parameters by a statement: connection poolers refuse or silently drop startup parameters unknown to them. */
const applySettings = statement<{ read_only: string }>(`
  select current_setting('transaction_read_only') as read_only, count(set_config(key, value, false))
  from json_each_text($1)`)

export type ServerRole = keyof typeof refusedParameters

interface ConnectionOptions {
  url: string
  /** The role that the server must have and keep. Default: the primary. */
  role?: ServerRole
  /** The generation of the primary (a counter of its changes) in which the connection is opened; see `Primary`. */
  generation?: number
  /** Settings of the server session by name, such as timeouts. */
  settings?: Record<string, string>
  /** Called when the connection breaks after it was established. */
  onLost?: (error: Error) => void
}

/**
 * Sends prepared statements in batches. Invariant: its server accepts writes or, in the role `standby`, is a standby.
 * If it turns out to be something else, the connection is destroyed, so that no stale data of a standby is used as that
 * of the primary.
 */
export class Connection extends pg.Client {
  /** The process id reported at connect. Behind a connection pooler, it can be that of another process. */
  declare readonly processID: number | null
  readonly generation: number
  /** Whether the server has acknowledged a commit although the synchronous standby may not have received it. */
  isInDoubt = false
  isBroken = false
  readonly #role: ServerRole
  readonly #settings: Record<string, string>
  readonly #shapes: Shapes = new Map()
  #queue: PendingQuery[] = []

  constructor({ url, role = 'primary', generation = 0, settings = {}, onLost = () => {} }: ConnectionOptions) {
    super({
      connectionString: url,
      application_name: 'atrium',
      keepAlive: true,
      // Lets the driver send a query before it has received the responses to earlier ones.
      pipeline: true,
      types: {
        getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
      },
    } as pg.ClientConfig)
    this.generation = generation
    this.#role = role
    this.#settings = settings
    // Without a listener, an `error` event would end the process. Pending queries reject by themselves.
    this.on('error', (error) => {
      this.isBroken = true
      onLost(error)
    })
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (refusedParameters[role].get(parameterName) === parameterValue) this.fail(wrongRoleError(role))
    })
    this.#wire.on('errorMessage', ({ code }) => {
      if (code === readOnlyCode) this.fail(wrongRoleError('primary'))
      if (code === sessionChangedCode)
        this.fail(errorWithCode(code, 'the server behind this connection is not the one it was'))
    })
    this.#wire.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.isInDoubt = true
    })
  }

  /**
   * Replaces two parts of the driver: its callback, which would report success if the connection failed in the same
   * chunk of input, and its timeout, which also counts time in which this process did not run.
   */
  override connect: pg.Client['connect'] = (...[done]: unknown[]) => {
    const connected = this.withTimeout(connectTimeoutMs[this.#role], super.connect()).then(() => this.#apply())
    if (typeof done !== 'function') return connected as never
    connected.then(() => done(), done as (error: unknown) => void)
    return undefined as never
  }

  /**
   * Does not wait for the response: if the settings fail, so do the connection and the statements sent after them. They
   * are a batch of their own, and so not part of the first transaction.
   */
  #apply(): void {
    this.send({
      statement: applySettings,
      values: [JSON.stringify(this.#settings)],
      resolve: ([row]) => {
        if (this.#role === 'primary' && row?.read_only !== 'off') this.fail(wrongRoleError('primary'))
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

  rows<Row = Record<string, unknown>>(statement: Prepared, values: Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.send({ statement, values, resolve: (rows) => resolve(rows as Row[]), reject })
    })
  }

  /** Returns the server's command tag, such as `COMMIT`. */
  command(text: string): Promise<string> {
    const statement = { name: text, text }
    return new Promise((resolve, reject) => {
      this.send({ statement, values: [], resolve: (_rows, command = '') => resolve(command), reject })
    })
  }

  /** Rolls the transaction back. Returns false when that fails; the connection must then not be used again. */
  rollback(): Promise<boolean> {
    return this.query('rollback').then(
      () => true,
      () => false,
    )
  }

  /** Queues a statement. All statements queued in the same tick are sent as one batch. */
  send(query: PendingQuery): void {
    if (this.#queue.length === 0) process.nextTick(this.#flush)
    this.#queue.push(query)
  }

  /** Sends the statements that are queued for the next batch first, to keep the order. */
  override query: pg.Client['query'] = (...order: unknown[]) => {
    this.#flush()
    return (super.query as (...order: unknown[]) => never)(...order)
  }

  readonly #flush = () => {
    if (this.#queue.length === 0) return
    const batch = new Batch(this.#queue, this.#shapes, (type) => this.getTypeParser(type, 'text'))
    this.#queue = []
    super.query(asSubmittable(batch))
  }

  /** Destroys the connection. Pending queries reject with this error, and later messages of the server are ignored. */
  fail(error: Error): void {
    if (!this.isBroken) this.#wire.emit('error', error)
    this.stream.destroy()
  }

  /** Makes the connection fail after `timeoutMs`, unless the returned function is called before. */
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

function wrongRoleError(wanted: ServerRole): Error {
  return wanted === 'primary'
    ? errorWithCode(readOnlyCode, 'the server takes no writes')
    : errorWithCode(notStandbyCode, 'the server is no standby')
}

const slices = 10

/**
 * Calls `onTimeout` when this process has run for `timeoutMs`: a suspended machine or a blocked event loop does not
 * count, since the server is not to blame. Ten timers, one after the other, make a pause count as at most a tenth.
 * Returns a function that cancels the timeout.
 */
export function setActiveTimeout(timeoutMs: number, onTimeout: () => void): () => void {
  let left = slices
  const onSlice = () => {
    left--
    if (left === 0) onTimeout()
    else timer = setTimeout(onSlice, timeoutMs / slices)
  }
  let timer = setTimeout(onSlice, timeoutMs / slices)
  return () => clearTimeout(timer)
}
