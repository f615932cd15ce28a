import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serveAtrium } from '../atrium.ts'
import type { Batch, Target } from '../plan.ts'
import { planFor } from '../plan.ts'
import { end } from '../processes.ts'
import { type CpuProfile, type Profile, profileOf } from '../profile.ts'
import { askAtrium } from '../requests.ts'
import { load, readAllOnce } from './back-to-back.ts'
import type { Context } from './context.ts'

/** A small read and a write with a body. */
export const profiledWorks = ['R2', 'W2'] as const
const warmUpSeconds = 3

/** Measures what the server's main thread does under load, sampled by V8 from the moment at which it is warm. */
export async function measureProfiles(context: Context, database: string): Promise<Profile[]> {
  const profiles: Profile[] = []
  for (const work of profiledWorks) profiles.push(await profileWork(context, database, work))
  return profiles
}

async function profileWork(context: Context, database: string, work: Profile['work']): Promise<Profile> {
  const { estate, databases, folder } = context
  const into = join(folder, 'profiles')
  rmSync(into, { recursive: true, force: true })
  const sampling = [`--cpu-prof`, `--cpu-prof-dir=${into}`]
  const serving = await serveAtrium(database, join(folder, 'profile.log'), { flags: sampling })
  const target = { ...serving, asking: askAtrium(estate, databases.made.tokens) }
  await readAllOnce(context, target, work)
  const sampled = await loadWarm(context, target, work)
  await end(serving.child)
  return { ...profileOf(mainProfile(into), sampled), work, engine: databases.engine, scale: estate.scale }
}

/** Warms the server up, then loads it; returns the time window in µs of V8's clock, and the CPU time per response. */
async function loadWarm(context: Context, target: Target & { pid: number }, work: Profile['work']) {
  const plan = planFor(work, context.estate, target)
  const batchFor = async (seconds: number) => (await plan.next(Math.ceil(10_000 * seconds))) as Batch
  const { responses } = await load(target, await batchFor(warmUpSeconds), plan.status, warmUpSeconds)
  plan.used(responses)
  const { seconds } = context.timing
  const batch = await batchFor(seconds)
  const fromUs = monotonicUs()
  const { microsecondsPerAnswer } = await load(target, batch, plan.status, seconds)
  return { fromUs, toUs: monotonicUs(), microsecondsPerAnswer }
}

function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/**
 * The launcher leaves a profile too, and so do threads. A file is named after the day, the time, the process, the thread
 * and a count: the main thread is 0, and the service comes last.
 */
function mainProfile(folder: string): CpuProfile {
  const last = globSync('CPU.*.*.*.0.*.cpuprofile', { cwd: folder }).toSorted().at(-1)
  if (last === undefined) throw new Error('the server left no profile')
  return JSON.parse(readFileSync(join(folder, last), 'utf8'))
}
