import pg from 'pg'
import { setActiveTimeout } from './active-timeout.ts'
import { Connection, timeoutError } from './connection.ts'
import { errorWithCode, isUnreachable, poolTimeoutCode } from './errors.ts'
import type { Primary } from './primary.ts'

export type PooledConnection = Connection & Pick<pg.PoolClient, 'release'>

/** How long `close` waits for connections that are in use. It then destroys them. */
const closeTimeoutMs = 1000
/**
 * How long a request waits for a free connection. Shorter than the lock timeout, so that requests which wait for a
 * connection fail before those that hold one and wait for a locked row.
 */
const acquireTimeoutMs = 4500

/**
 * A pool of connections to the current primary, the server that accepts writes. Invariant: `acquire` returns only
 * working connections of the primary's current generation, a counter that each failover increments. Connections of
 * older generations are closed when they are released or acquired.
 */
export class Pool {
  readonly #primary: Primary
  readonly #pool: pg.Pool
  readonly #open = new Set<Connection>()

  constructor(primary: Primary, max: number, settings: Record<string, string>) {
    this.#primary = primary
    const onLost = (error: Error) => void primary.find(error).catch(() => {})
    const Client = class extends Connection {
      constructor() {
        super({ url: primary.url, generation: primary.generation, settings, onLost })
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
      if (connection.generation === this.#primary.generation && !connection.isBroken) return connection
      connection.release(true)
    }
  }

  async #connect(): Promise<PooledConnection> {
    if (this.#primary.isLost && this.#pool.idleCount === 0) await this.#primary.find()
    try {
      return await this.#nextFree()
    } catch (error) {
      if (!isUnreachable(error)) throw error
      await this.#primary.find(error)
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
