import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { postgresProgram } from '../../../bench/programs.ts'
import { signalFamily } from '../../harness/family.ts'
import { unprivileged } from '../../harness/postgres-program.ts'
import { tool } from '../../torture/tool.ts'
import type { Host } from './network.ts'

const ttlSeconds = 20
const answerWithinMs = 1000
const patroniAnswersWithinMs = 60_000
/** A commit without a table of its own. */
const probe = `select case when not pg_is_in_recovery() then pg_logical_emit_message(true, 'probe', '') end as written`
const logins = {
  superuser: { username: 'postgres', password: 'superuser' },
  replication: { username: 'replicator', password: 'replication' },
}

/** One machine of the cluster: PostgreSQL, the Patroni that starts it, and a member of etcd. */
export class Member {
  readonly name: string
  readonly host: Host
  readonly #folder: string
  readonly #settings: string
  #etcd: ChildProcess | undefined
  #patroni: ChildProcess | undefined

  constructor(folder: string, host: Host) {
    this.host = host
    this.name = host.address.replaceAll('.', '-')
    this.#folder = join(folder, this.name)
    this.#settings = join(this.#folder, 'patroni.json')
    mkdirSync(this.#folder)
    writeFileSync(this.#settings, '')
    const { uid, gid } = unprivileged() ?? { uid: -1, gid: -1 }
    for (const path of [this.#folder, this.#settings]) chownSync(path, uid, gid)
  }

  get url(): string {
    const { username, password } = logins.superuser
    return `postgres://${username}:${password}@${this.host.address}:5432/postgres`
  }

  startEtcd(all: Member[]): void {
    const { address } = this.host
    const peers = all.map(({ name, host }) => `${name}=http://${host.address}:2380`)
    this.#etcd = this.#run(tool('etcd', 'etcd-server'), [
      `--name=${this.name}`,
      `--data-dir=${join(this.#folder, 'etcd')}`,
      `--listen-peer-urls=http://${address}:2380`,
      `--initial-advertise-peer-urls=http://${address}:2380`,
      `--listen-client-urls=http://${address}:2379`,
      `--advertise-client-urls=http://${address}:2379`,
      `--initial-cluster=${peers.join()}`,
      '--unsafe-no-fsync',
      '--enable-v2',
      // With pre-vote, a member that was cut off does not force an election when it returns.
      '--pre-vote',
      '--heartbeat-interval=200',
      '--election-timeout=2000',
    ])
  }

  startPatroni(all: Member[]): void {
    writeFileSync(this.#settings, JSON.stringify(this.#patroniSettings(all)))
    this.#patroni = this.#run(tool('patroni'), [this.#settings])
  }

  killEtcd(): Promise<void> {
    return kill(this.#etcd)
  }

  killPatroni(): Promise<void> {
    return kill(this.#patroni)
  }

  /** A signal to PostgreSQL and all its processes. */
  signal(signal: NodeJS.Signals): void {
    const [pid] = readFileSync(join(this.#folder, 'data/postmaster.pid'), 'utf8').split('\n')
    signalFamily(Number(pid), signal)
  }

  /** Patroni's own API. */
  async ask(path: string, body?: object): Promise<{ status: number; text: string }> {
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(patroniAnswersWithinMs)
    const answer = await fetch(`http://${this.host.address}:8008/${path}`, { ...sent, signal })
    return { status: answer.status, text: await answer.text() }
  }

  /** Returns whether it accepts a change now. */
  takesWrites(): Promise<boolean> {
    return this.query(probe).then(
      ([row]) => row?.written !== null,
      () => false,
    )
  }

  async query(text: string, withinMs = answerWithinMs, url = this.url): Promise<Record<string, unknown>[]> {
    const limits = { connectionTimeoutMillis: withinMs, query_timeout: withinMs }
    const client = new Client({ connectionString: url, ...limits })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text)).rows
    } finally {
      void client.end().catch(() => {})
    }
  }

  readonly describe = async (area: string): Promise<string> => {
    const url = this.url.replace(/\w+$/, 'atrium')
    const text = `select pg_is_in_recovery() as standby, (pg_control_checkpoint()).timeline_id as timeline,
      pg_postmaster_start_time()::text as started, (select json from area where id_external = '${area}') as room`
    return this.query(text, answerWithinMs, url).then(
      (rows) => JSON.stringify(rows),
      (error: Error) => error.message,
    )
  }

  get log(): string {
    const file = join(this.#folder, 'log')
    return existsSync(file) ? readFileSync(file, 'utf8').slice(-10_000) : ''
  }

  #run(program: string, args: string[]): ChildProcess {
    const log = openSync(join(this.#folder, 'log'), 'a')
    const [first = '', ...words] = [...this.host.under, program, ...args]
    const env = { PATH: process.env.PATH }
    const child = spawn(first, words, { cwd: this.#folder, stdio: ['ignore', log, log], env })
    closeSync(log)
    return child
  }

  #patroniSettings(all: Member[]) {
    const at = (port: number) => `${this.host.address}:${port}`
    return {
      scope: 'atrium',
      name: this.name,
      restapi: { listen: at(8008), connect_address: at(8008) },
      // Uses the v2 API: with etcd3, Patroni before 3.0.3 overwrites the lock of a newer leader (patroni/patroni,
      // 2689).
      etcd: { hosts: all.map(({ host }) => `${host.address}:2379`) },
      bootstrap: {
        dcs: {
          ttl: ttlSeconds,
          loop_wait: 2,
          retry_timeout: 5,
          // Otherwise a restarted primary acknowledges without a standby until Patroni's next cycle.
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: { use_pg_rewind: true },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync'],
      },
      postgresql: {
        listen: at(5432),
        connect_address: at(5432),
        data_dir: join(this.#folder, 'data'),
        bin_dir: dirname(postgresProgram('pg_rewind')),
        pgpass: join(this.#folder, 'pgpass'),
        authentication: logins,
        // Otherwise a copy waits minutes for the next checkpoint.
        basebackup: { checkpoint: 'fast' },
        parameters: { unix_socket_directories: this.#folder },
        pg_hba: [
          'host all all 0.0.0.0/0 scram-sha-256',
          'host replication all 0.0.0.0/0 scram-sha-256',
          'local all all trust',
        ],
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    }
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
