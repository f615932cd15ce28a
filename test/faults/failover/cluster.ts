import type { PostgresInstance } from '../../harness/postgres-instance.ts'
import { type OwnPostgres, startPostgres } from '../../harness/postgres-server.ts'
import { followSynchronously } from '../../harness/postgres-standby.ts'

export type Outage = 'restart' | 'failover'

/** Delays every commit, so that each outage interrupts some of them. */
const slowCommits = { commit_delay: '10000', commit_siblings: '0' }

/** Two servers: a primary, and a standby that stays one unless it is promoted. */
export class Cluster {
  readonly url: string
  readonly #postgres: OwnPostgres
  #primary: PostgresInstance
  #other: PostgresInstance
  #isFollowed = false

  static async start(): Promise<Cluster> {
    const postgres = await startPostgres({ durable: true, settings: slowCommits })
    return new Cluster(postgres, await postgres.beside('other'))
  }

  constructor(postgres: OwnPostgres, other: PostgresInstance) {
    this.#postgres = postgres
    this.#primary = postgres.server
    this.#other = other
    const { host } = new URL(other.url)
    this.url = postgres.url.replace(/@([^/]+)/, `@$1,${host}`).concat('?target_session_attrs=read-write')
  }

  /** Creates the standby if there is none: no node may take it for the primary. */
  async prepare(): Promise<void> {
    if (this.#isFollowed) return
    await followSynchronously(this.#primary, this.#other)
    this.#isFollowed = true
  }

  /** When this returns, no server accepts writes. */
  begin(outage: Outage): Promise<void> {
    return outage === 'restart' ? this.#primary.crash() : this.#primary.kill()
  }

  /** When this returns, a server accepts writes again. */
  async end(outage: Outage): Promise<void> {
    if (outage === 'restart') return this.#primary.start()
    await this.#other.query('select pg_promote()')
    const dead = this.#primary
    this.#primary = this.#other
    this.#other = dead
    this.#isFollowed = false
  }

  stop(): Promise<void> {
    return this.#postgres.stop()
  }
}
