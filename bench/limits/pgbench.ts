import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { withoutPostgresSettings } from '../../test/harness/postgres-program.ts'
import { ask } from '../estate/postgres.ts'
import { start } from '../processes.ts'
import { postgresProgram } from '../programs.ts'
import type { EngineContext, EngineWork } from './engine.ts'
import { pgbenchScript } from './pgbench-script.ts'
import { auditTable } from './schema.ts'

const clients = 32
const threads = 2

/** Runs `pgbench` with a script of the same statements, on the same server. */
export async function runPgbench(context: EngineContext, database: string, work: EngineWork, seconds: number) {
  await ask(database, auditTable.postgres)
  const script = join(context.folder, `${work}.sql`)
  writeFileSync(script, pgbenchScript(work, context.estate))
  const { hostname, port, username, password, pathname } = new URL(database)
  const options = ['-n', '-c', String(clients), '-j', String(threads), '-M', 'prepared', '-D', 'n=0', '-f', script]
  const place = ['-h', hostname, '-p', port, '-U', username, '-T', String(Math.ceil(seconds)), pathname.slice(1)]
  const child = start(postgresProgram('pgbench'), [...options, ...place], {
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
