import pg from 'pg'
import { setActiveTimeout } from './active-timeout.ts'
import { Connection, type ServerRole, timeoutError } from './connection.ts'
import { errorWithCode, isUnreachable, poolTimeoutCode } from './errors.ts'

export type PooledConnection = Connection & Pick<pg.PoolClient, 'release'>

/** How long `close` waits for connections that are in use. It then destroys them. */
const closeTimeoutMs = 1000
/**
 * How long a request waits for a free connection. Shorter than the lock timeout, so that requests which wait for a
 * connection fail before those that hold one and wait for a locked row.
 */
const acquireTimeoutMs = 4500

/** The server that a pool connects to: the primary, or a standby. */
export interface Target {
  readonly role: ServerRole
  /** The URL for new connections. */
  readonly url: string
  /** A counter that each change to another server increments. */
  readonly generation: number
  readonly isLost: boolean
  /** Searches for the server after an error. Throws when it is not found. */
  find(cause?: unknown): Promise<void>
}

/**
 * A pool of connections to the current primary, the server that accepts writes, or to a standby. Invariant: `acquire`
 * returns only working connections of the target's current generation. Connections of older generations are closed when
 * they are released or acquired.
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

  /** Runs work on a connection. Closes the connection if the work fails, as its state is unknown. */
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
