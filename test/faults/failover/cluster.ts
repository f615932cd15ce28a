import type { PostgresInstance } from '../../harness/postgres-instance.ts'
import { type OwnPostgres, startPostgres } from '../../harness/postgres-server.ts'
import { followSynchronously } from '../../harness/postgres-standby.ts'

export type Outage = 'restart' | 'failover'

/** Every commit takes a while, so that each outage finds some of them half done. */
const slowCommits = { commit_delay: '10000', commit_siblings: '0' }

/** Two servers, of which one takes writes and the other is its standby, and stays one unless it is promoted. */
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

  /** Makes the standby where there is none: no node may take it for the primary. */
  async prepare(): Promise<void> {
    if (this.#isFollowed) return
    await followSynchronously(this.#primary, this.#other)
    this.#isFollowed = true
  }

  /** When it has ended, nobody takes writes. */
  begin(outage: Outage): Promise<void> {
    return outage === 'restart' ? this.#primary.crash() : this.#primary.kill()
  }

  /** When it has ended, a server takes writes again. */
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
