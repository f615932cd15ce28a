import pg from 'pg'
import { Connection, type ServerRole, setActiveTimeout, timeoutError } from './connection.ts'
import { errorWithCode, isUnreachable, poolTimeoutCode } from './errors.ts'

type PooledConnection = Connection & Pick<pg.PoolClient, 'release'>

/** How long `close` waits for connections that are still in use before it destroys them. */
const closeTimeoutMs = 1000
/** How long to wait for a connection: less than the lock timeout, so that requests without one fail first. */
const acquireTimeoutMs = 4500

/** The server that a pool connects to: the primary, or a standby. */
export interface Target {
  readonly role: ServerRole
  readonly url: string
  /** A counter that each change to another server increments. */
  readonly generation: number
  readonly isLost: boolean
  /** Searches for the server. Throws when it is not found. */
  find(cause?: unknown): Promise<void>
}

/**
 * Invariant: `acquire` returns only working connections of the target's current generation. Connections of older
 * generations are closed when they are released or acquired.
 */
export class Pool {
  readonly #target: Target
  readonly #pool: pg.Pool
  readonly #open = new Set<Connection>()

  constructor(target: Target, max: number, settings: Record<string, string>) {
    this.#target = target
    const onLost = (error: Error) => void target.find(error).catch(() => {})
    const Client = class extends Connection {
      constructor() {
        super({ url: target.url, role: target.role, generation: target.generation, settings, onLost })
      }
    }
    this.#pool = new pg.Pool({ max, Client } as pg.PoolConfig)
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => this.#open.add(client as unknown as Connection))
    this.#pool.on('remove', (client) => this.#open.delete(client as unknown as Connection))
  }

  async acquire(): Promise<PooledConnection> {
    for (;;) {
      const connection = await this.#connect()
      if (connection.generation === this.#target.generation && !connection.isBroken) return connection
      connection.release(true)
    }
  }

  async #connect(): Promise<PooledConnection> {
    if (this.#target.isLost && this.#pool.idleCount === 0) await this.#target.find()
    try {
      return await this.#nextFree()
    } catch (error) {
      if (!isUnreachable(error)) throw error
      await this.#target.find(error)
      return await this.#nextFree()
    }
  }

  #nextFree(): Promise<PooledConnection> {
    const free = this.#pool.connect() as unknown as Promise<PooledConnection>
    return this.#pool.waitingCount > this.#pool.idleCount ? withAcquireTimeout(free) : free
  }

  /** Closes the connection if the work fails, as its state is unknown. */
  async use<T>(timeoutMs: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.acquire()
    let isSound = false
    try {
      const result = await connection.withTimeout(timeoutMs, work(connection))
      isSound = true
      return result
    } finally {
      connection.release(!isSound)
    }
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => {
      for (const connection of this.#open) connection.fail(timeoutError())
    }, closeTimeoutMs)
    await this.#pool.end()
    clearTimeout(timer)
  }
}

function withAcquireTimeout(free: Promise<PooledConnection>): Promise<PooledConnection> {
  return new Promise((resolve, reject) => {
    let isTimedOut = false
    const cancel = setActiveTimeout(acquireTimeoutMs, () => {
      isTimedOut = true
      reject(errorWithCode(poolTimeoutCode, 'all connections were in use for too long'))
    })
    free.then((connection) => (isTimedOut ? connection.release() : resolve(connection)), reject).finally(cancel)
  })
}

/**
 * Keeps one connection for polls of the audit log, because only snapshots of one server can be compared. Opens another
 * when it breaks or the primary changes.
 */
export class PinnedConnection {
  readonly #pool: Pool
  readonly #primary: { generation: number }
  #acquiring: Promise<PooledConnection> | undefined

  constructor(pool: Pool, primary: { generation: number }) {
    this.#pool = pool
    this.#primary = primary
  }

  async use<T>(timeoutMs: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const acquiring = this.#acquiring ?? this.#acquire()
    const connection = await acquiring
    if (connection.generation !== this.#primary.generation) {
      this.#drop(acquiring)
      return this.use(timeoutMs, work)
    }
    try {
      return await connection.withTimeout(timeoutMs, work(connection))
    } catch (error) {
      this.#onBroken(acquiring)
      throw error
    }
  }

  async close(): Promise<void> {
    const connection = await this.#acquiring?.catch(() => undefined)
    this.#acquiring = undefined
    connection?.release()
  }

  #acquire(): Promise<PooledConnection> {
    const acquiring = this.#pool.acquire()
    this.#acquiring = acquiring
    acquiring.then(
      (connection) => connection.once('end', () => this.#onBroken(acquiring)),
      () => this.#drop(acquiring),
    )
    return acquiring
  }

  /** Starts a new generation: new connections may lead to another server, so earlier ones are not used any more. */
  #onBroken(acquiring: Promise<PooledConnection>): void {
    if (this.#acquiring === acquiring) this.#primary.generation++
    this.#drop(acquiring)
  }

  #drop(acquiring: Promise<PooledConnection>): void {
    if (this.#acquiring !== acquiring) return
    this.#acquiring = undefined
    acquiring.then(
      (connection) => connection.release(true),
      () => {},
    )
  }
}
