import type { Connection } from './connection.ts'
import type { Pool, PooledConnection } from './pool.ts'
import type { Primary } from './primary.ts'

/**
 * Keeps one connection of a pool for polling the audit log, since database snapshots can be compared only if they are
 * from the same server. Opens another connection when this one breaks or when the primary changes.
 */
export class PinnedConnection {
  readonly #pool: Pool
  readonly #primary: Primary
  #acquiring: Promise<PooledConnection> | undefined

  constructor(pool: Pool, primary: Primary) {
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

  /**
   * If the polling connection broke, starts a new generation of connections, so that no connection opened earlier is
   * used any more: new connections may lead to another server than the earlier ones.
   */
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
