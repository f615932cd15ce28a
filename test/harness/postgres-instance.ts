import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { signalFamily } from './family.ts'
import { logText, run } from './postgres-program.ts'

const startLimitSeconds = 60

export type PostgresOptions = {
  /** Keeps fsync and full-page writes on; without them only a crash of the machine could lose a commit. */
  durable?: boolean
  settings?: Record<string, string>
}

/** A server on one data folder, which can be stopped and started. */
export class PostgresInstance {
  readonly url: string
  readonly data: string
  readonly #folder: string
  readonly #flags: string[]
  #process: ChildProcess | undefined

  constructor(folder: string, name: string, url: string, options: PostgresOptions) {
    this.url = url
    this.data = join(folder, name)
    this.#folder = folder
    this.#flags = flags(Number(new URL(url).port), options)
  }

  async start(): Promise<void> {
    const started = run(this.#folder, 'postgres', ['-D', this.data, ...this.#flags])
    this.#process = started
    try {
      await accepting(this.url, started)
    } catch (error) {
      throw new Error(`PostgreSQL did not start: ${(error as Error).message}\n${logText(this.#folder)}`)
    }
    started.unref()
  }

  /** Stops at once, without a checkpoint, as `pg_ctl -m immediate`. */
  async crash(): Promise<void> {
    await this.#end((server) => server.kill('SIGQUIT'))
  }

  /** Kills all its processes at once, as a power failure would. */
  async kill(): Promise<void> {
    await this.#end(() => this.#signal('SIGKILL'))
  }

  /** Freezes it: connections stay open without a response, until it is thawed. */
  freeze(): void {
    this.#signal('SIGSTOP')
  }

  thaw(): void {
    this.#signal('SIGCONT')
  }

  /** Runs a statement as the superuser, in the database `postgres`. */
  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  async #end(send: (server: ChildProcess) => void): Promise<void> {
    const server = this.#process
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.ref()
    const ended = once(server, 'exit')
    send(server)
    await ended
  }

  #signal(signal: NodeJS.Signals): void {
    signalFamily(this.#process?.pid, signal)
  }
}

function flags(port: number, { durable = false, settings = {} }: PostgresOptions): string[] {
  const safety = durable ? 'on' : 'off'
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    fsync: safety,
    full_page_writes: safety,
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function accepting(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startLimitSeconds * 1000
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`)
      if (Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}
