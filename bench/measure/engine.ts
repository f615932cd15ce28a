import { type Arguments, variants } from '../arguments.ts'
import { watchMemory } from '../atrium.ts'
import type { Progress } from '../progress.ts'
import { type LoadWork, loadWorks } from '../work.ts'
import { measureApply } from './apply.ts'
import { measureWarm, measureWork } from './back-to-back.ts'
import { measureCold } from './cold.ts'
import type { Ground } from './context.ts'
import { measureDistant } from './distant.ts'
import { measureEveryday } from './everyday.ts'
import { measureFastHttp } from './fast-http.ts'
import { measureP99 } from './p99.ts'
import { measureProfiles } from './profile.ts'
import { serve } from './serve.ts'
import { amount, measureStart } from './start.ts'
import { measureWays } from './ways.ts'
import { measureWorkers } from './workers.ts'

/** With --quick, PostgreSQL is measured with a read, a large read, two writes and the mixture. */
const quickOnPostgres = ['R2', 'R3', 'W1', 'W2', 'MIX', 'COLD', 'start', 'memory']
const quickSkips = ['everyday', 'workers', 'apply', 'profile', 'warm', 'split', 'distant', 'fast-http']
const atScaleOne: readonly string[] = [...variants, 'everyday']

export function isWanted(args: Arguments, engine: string, name: string): boolean {
  if (args.only.length > 0) return args.only.includes(name)
  if (args.quick && quickSkips.includes(name)) return false
  if (args.scale > 1 && atScaleOne.includes(name)) return false
  return !args.quick || engine === 'sqlite' || quickOnPostgres.includes(name)
}

/** Runs all measurements of Atrium on one engine, ordered so that none disturbs a later one. */
export async function measureEngine(
  ground: Ground,
  small: Ground | undefined,
  args: Arguments,
  progress: Progress,
  estateFile: () => Promise<string>,
): Promise<void> {
  const { context, database } = ground
  const { databases, estate } = context
  const wanted = (name: string) => isWanted(args, databases.engine, name)
  const run = async (title: string, work: () => Promise<unknown>) => {
    progress.step(`${databases.version}: ${title}`)
    await work()
  }
  if (wanted('start') || wanted('memory')) {
    const which = { start: wanted('start'), memory: wanted('memory') }
    await run('start and memory at rest', () => measureStart(context, database, which))
  }
  if (wanted('COLD')) await run('COLD', () => measureCold(ground, small))
  await underLoad(ground, small, wanted, run)
  if (wanted('profile')) {
    await run('profiles of R2 and W2', async () => context.addProfiles(await measureProfiles(context, database)))
  }
  if (wanted('fast-http')) await run('ATRIUM_FAST_HTTP on and off', () => measureFastHttp(context))
  if (wanted('distant') && databases.engine === 'postgres') {
    await run('writes to a database 10 ms away', () => measureDistant(context))
  }
  if (wanted('everyday')) await run('everyday jobs', () => measureEveryday(ground))
  if (wanted('workers')) await run('two processes', () => measureWorkers(context, database))
  if (wanted('apply') || (databases.madeNow && args.only.length === 0)) {
    await run(`apply of ${estate.facilities * estate.areas} areas`, () => measureApply(context, estateFile))
  }
}

async function underLoad(
  ground: Ground,
  small: Ground | undefined,
  wanted: (name: string) => boolean,
  run: (title: string, work: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const { context } = ground
  const chosen = loadWorks.filter(wanted)
  // Memory is measured under a mixture of everything that fills the cache.
  const forced: LoadWork[] = chosen.length === 0 && wanted('memory') ? ['R3', 'MIX'] : chosen
  const isLarge = context.estate.scale > 1
  const rest = ['p99', 'general', 'split', ...(isLarge ? ['warm'] : [])]
  if (forced.length === 0 && !rest.some(wanted)) return
  const side = await serve(ground)
  const smaller = small && forced.length > 0 ? await serve(small) : undefined
  const memory = watchMemory(side.subject.pid)
  for (const work of forced) await run(work, () => measureWork(side, work, smaller))
  await smaller?.stop()
  for (const way of ['general', 'split'] as const) {
    if (wanted(way)) await run(`works, ${way}`, () => measureWays(side, way))
  }
  if (wanted('p99')) {
    const [token = ''] = context.databases.made.tokens
    await run('p99 at half of the top rate', () => measureP99(context, side.subject, token))
  }
  if (isLarge && wanted('warm')) await run('R2 again on a part of it', () => measureWarm(side))
  const peak = memory.stop()
  if (wanted('memory')) context.add(amount(context, 'load', 'MB', [peak]))
  await side.stop()
}
