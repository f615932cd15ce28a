import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../harness/workers.ts'
import { Member } from './member.ts'
import { Network } from './network.ts'

const members = 3
const name = 'atrium'
const byItselfWithinMs = 45_000
/** How often a standby is copied again before the cluster counts as broken. A copy of a busy primary can get stuck, too. */
const maxCopies = 4
const createWithinMs = 60_000
const followersOf = `select application_name as name, sync_state from pg_stat_replication where state = 'streaming'`

interface MemberState {
  name: string
  role: string
  state: string
  lag?: number
}

/** Three machines with PostgreSQL under Debian's Patroni, synchronously replicated, and an etcd over all of them. */
export class PatroniCluster {
  /** The servers of the database, as the nodes get them in ATRIUM_DATABASE. */
  readonly url: string
  readonly members: Member[]
  readonly #network: Network
  readonly #folder: string

  static async start(): Promise<PatroniCluster> {
    const cluster = new PatroniCluster()
    try {
      for (const member of cluster.members) member.startEtcd(cluster.members)
      for (const member of cluster.members) member.startPatroni(cluster.members)
      await cluster.untilWhole()
      const leader = await cluster.leader()
      await leader.query(`create database ${name}`, createWithinMs)
      return cluster
    } catch (error) {
      const logs = cluster.members.map(({ log }) => log).join('\n')
      await cluster.stop()
      throw new Error(`Patroni did not start: ${(error as Error).message}\n${logs}`, { cause: error })
    }
  }

  private constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'atrium-patroni-'))
    chmodSync(this.#folder, 0o711)
    this.#network = new Network(members)
    this.members = this.#network.hosts.map((host) => new Member(this.#folder, host))
    const url = new URL(this.members[0]?.url ?? '')
    const hosts = this.members.map(({ host }) => `${host.address}:5432`).join()
    this.url = `postgres://${url.username}:${url.password}@${hosts}/${name}?target_session_attrs=read-write`
  }

  /** Returns the URL of the database on the current primary. */
  async primaryUrl(): Promise<string> {
    return (await this.leader()).url.replace(/\w+$/, name)
  }

  async leader(): Promise<Member> {
    return until('there is a leader', async () => {
      const leader = (await this.#states()).find(({ role }) => role === 'leader')
      return this.members.find((member) => member.name === leader?.name)
    })
  }

  /** Waits for a leader and two followers, one of them synchronous, so that the next fault can be survived. */
  async untilWhole(): Promise<void> {
    const isWhole = () => this.#isWhole().catch(() => false)
    for (let copies = 0; ; copies++) {
      try {
        await until('the cluster is whole', isWhole, byItselfWithinMs)
        return
      } catch (error) {
        if (copies === maxCopies) {
          throw new Error([(error as Error).message, ...(await this.describe(''))].join('\n'), { cause: error })
        }
        await this.#recreate()
      }
    }
  }

  /** Lets Patroni copy standbys again: one that was ahead of the promoted server does not always recover. */
  async #recreate(): Promise<void> {
    const leader = await this.leader()
    const followers = (await leader.query(followersOf)).map(({ name }) => name)
    const lost = this.members.filter((member) => member !== leader && !followers.includes(member.name))
    await Promise.all(lost.map((member) => member.ask('reinitialize', { force: true })))
  }

  /** Patroni's state can be from before a restart, so the leader itself must wait for the synchronous standby. */
  async #isWhole(): Promise<boolean> {
    const states = await this.#states()
    const isGood = ({ state, lag = 0 }: MemberState) => ['running', 'streaming'].includes(state) && lag === 0
    const roles = states.map(({ role }) => role).sort()
    if (roles.join() !== 'leader,replica,sync_standby' || !states.every(isGood)) return false
    const [synchronous] = states.filter(({ role }) => role === 'sync_standby')
    const followers = await (await this.leader()).query(followersOf)
    const matches = followers.map(
      ({ name, sync_state }) => (name === synchronous?.name ? 'sync' : 'async') === sync_state,
    )
    return followers.length === members - 1 && !matches.includes(false)
  }

  async takesWrites(): Promise<boolean> {
    const answers = await Promise.all(this.members.map((member) => member.takesWrites()))
    return answers.includes(true)
  }

  /** Returns a line for each server and the ends of Patroni's logs, to tell a lost write from a stale read. */
  async describe(what: string): Promise<string[]> {
    const area = /room ([\w-]+)/.exec(what)?.[1] ?? ''
    const lines = this.members.map(async ({ name, log, describe }) => [name, await describe(area), log])
    return (await Promise.all(lines)).flat()
  }

  async stop(): Promise<void> {
    await this.#network.remove()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Returns the state of the cluster from any member. */
  async #states(): Promise<MemberState[]> {
    const answers = this.members.map(async (member) => {
      const states: { members: MemberState[] } = JSON.parse((await member.ask('cluster')).text)
      return states.members
    })
    return Promise.any(answers).catch(() => [])
  }
}
