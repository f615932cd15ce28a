import { once } from 'node:events'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { withoutPostgresSettings } from '../../test/harness/postgres-program.ts'
import { ask } from '../estate/postgres.ts'
import { start } from '../processes.ts'
import { installWithApt, programPath } from '../programs.ts'
import type { EngineContext, EngineWork } from './engine.ts'
import { pgbenchScript } from './pgbench-script.ts'
import { auditTable } from './schema.ts'

const clients = 32
const threads = 2

/** `pgbench` with a script of the same statements, on the same server. */
export async function runPgbench(context: EngineContext, database: string, work: EngineWork, seconds: number) {
  await ask(database, auditTable.postgres)
  const script = join(context.folder, `${work}.sql`)
  writeFileSync(script, pgbenchScript(work, context.estate))
  const { hostname, port, username, password, pathname } = new URL(database)
  const options = ['-n', '-c', String(clients), '-j', String(threads), '-M', 'prepared', '-D', 'n=0', '-f', script]
  const place = ['-h', hostname, '-p', port, '-U', username, '-T', String(Math.ceil(seconds)), pathname.slice(1)]
  const child = start(pgbench(), [...options, ...place], {
    env: { ...withoutPostgresSettings(process.env), PGPASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = (stream: typeof child.stdout) => (stream ? text(stream) : '')
  const [said, complaints, [code]] = await Promise.all([
    output(child.stdout),
    output(child.stderr),
    once(child, 'exit'),
  ])
  const rate = Number(/^tps = ([\d.]+)/m.exec(said)?.[1])
  if (code === 0 && rate > 0) return rate
  throw new Error(`pgbench ended with ${code}: ${(complaints || said).trim().slice(-1000)}`)
}

let known: string | undefined

function pgbench(): string {
  known ??= found() ?? install()
  return known
}

/** Debian keeps it beside the server of each version. */
function found(): string | undefined {
  const versionOf = (path: string) => Number(path.split('/')[4])
  const places = globSync('/usr/lib/postgresql/*/bin/pgbench').sort((a, b) => versionOf(b) - versionOf(a))
  return places[0] ?? programPath('pgbench')
}

const advice = 'no pgbench for the limit on PostgreSQL: install it, on Debian with apt-get install postgresql'

function install(): string {
  installWithApt(programsOnly, advice)
  const path = found()
  if (path === undefined) throw new Error(advice)
  return path
}

// Debian would set up and start a cluster of its own otherwise.
const programsOnly = `apt-get -qq install --no-install-recommends -y postgresql-common
  sed -i 's/^#\\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
  apt-get -qq install --no-install-recommends -y postgresql`
