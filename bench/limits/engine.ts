import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Databases } from '../estate/databases.ts'
import { start } from '../processes.ts'
import type { Work } from '../work.ts'
import { runPgbench } from './pgbench.ts'

export type EngineWork = Extract<Work, 'W1' | 'W2' | 'W3' | 'W4' | 'COLD'>

export interface EngineContext {
  databases: Databases
  folder: string
  estate: { facilities: number; areas: number }
}

const copies = new WeakMap<Databases, Promise<string>>()

/** A copy of the estate for the engine reference only. */
function copyFor(databases: Databases): Promise<string> {
  const known = copies.get(databases) ?? databases.copy('raw')
  copies.set(databases, known)
  return known
}

/** Measures transactions per second of the engine alone, with equal statements and durability; W5 is W2 without a key. */
export async function runEngineLimit(context: EngineContext, work: string, seconds: number): Promise<number> {
  const database = await copyFor(context.databases)
  const run = context.databases.engine === 'sqlite' ? runSqlite : runPgbench
  return run(context, database, engineWork(work), seconds)
}

export function engineWork(work: string): EngineWork {
  return (work === 'W5' ? 'W2' : work) as EngineWork
}

const rawSqlite = join(import.meta.dirname, 'raw-sqlite.ts')

async function runSqlite({ estate }: EngineContext, database: string, work: EngineWork, seconds: number) {
  const job = { file: database.replace(/^sqlite:/, ''), work, seconds, ...{ facilities: estate.facilities } }
  const order = JSON.stringify({ ...job, areas: estate.areas })
  const child = start(process.execPath, [rawSqlite, order], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
  if (code !== 0) throw new Error(`the loop on node:sqlite ended with ${code}`)
  return JSON.parse(said).rate
}
