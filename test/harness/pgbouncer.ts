import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { tool } from '../torture/tool.ts'
import { freePort, unprivileged } from './postgres-program.ts'

export type PoolMode = 'session' | 'transaction'

/** Debian's PgBouncer with its default configuration, in front of the server of a database. */
export class PgBouncer {
  /** The database's URL through the pooler. */
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  static async start(databaseUrl: string): Promise<PgBouncer> {
    const pooler = new PgBouncer(databaseUrl, await freePort())
    while (!(await pooler.#answers())) await sleep(20)
    return pooler
  }

  private constructor(databaseUrl: string, port: number) {
    const url = new URL(databaseUrl)
    this.#folder = mkdtempSync(join(tmpdir(), 'atrium-pgbouncer-'))
    const users = this.#write('userlist.txt', `"${url.username}" "${url.password}"\n`)
    const settings = this.#write(
      'pgbouncer.ini',
      `[databases]
* = host=${url.hostname} port=${url.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
admin_users = ${url.username}
logfile = ${join(this.#folder, 'pgbouncer.log')}
`,
    )
    url.host = `127.0.0.1:${port}`
    this.url = url.href
    // PgBouncer refuses to run as root.
    const owner = unprivileged()
    if (owner) chownSync(this.#folder, owner.uid, owner.gid)
    this.#child = spawn(tool('pgbouncer'), ['--quiet', settings], { ...owner, stdio: 'ignore' })
  }

  /** Changes the pool mode from the next transaction on, also for open connections. */
  async setMode(mode: PoolMode): Promise<void> {
    await this.#administrate(`set pool_mode = '${mode}'`)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL')
      await once(this.#child, 'exit')
    }
    rmSync(this.#folder, { recursive: true })
  }

  async #answers(): Promise<boolean> {
    if (this.#child.exitCode !== null) throw new Error(`PgBouncer ended with ${this.#child.exitCode}`)
    return this.#administrate('show version').catch(() => false)
  }

  async #administrate(command: string): Promise<true> {
    const url = new URL(this.url)
    url.pathname = '/pgbouncer'
    const client = new Client({ connectionString: url.href })
    try {
      await client.connect()
      await client.query(command)
      return true
    } finally {
      await client.end()
    }
  }

  #write(name: string, text: string): string {
    const path = join(this.#folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    const owner = unprivileged()
    if (owner) chownSync(path, owner.uid, owner.gid)
    return path
  }
}
