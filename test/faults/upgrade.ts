import { type Engine, engines } from '../harness/databases.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { killOnce, killPlace, makeOld, type Old } from './upgrade/killed.ts'
import { upgradeUnderLoad } from './upgrade/rolling.ts'

export const upgrade: Harness = {
  name: 'upgrade',
  promises: [18],
  title:
    'the next version joins on the same database under load, and a killed migration is completed by the next start',
  unit: 'upgrades',
  target: '0 failed, 0 lost',
  counts: { planted: 2, test: 2, torture: 60 },
  planted: [
    {
      name: 'a migration that is not in a transaction',
      file: 'src/storage/migrate.ts',
      find: '    await upOf(migration)(interruptible(tx, signal))\n',
      replace: `    await sql.raw('commit').execute(tx.query)
    await upOf(migration)(interruptible(tx, signal))
    await sql.raw('begin').execute(tx.query)\n`,
    },
    {
      name: 'a statement that takes whatever columns there are',
      file: 'src/storage/facility.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how the source is written
      find: 'select ${facilityColumns}, (select count',
      replace: 'select f.*, (select count',
    },
  ],
  run,
}

/** How many migrations are killed for each rolling upgrade under load. */
const killsForOne = 9

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const random = new Random(seed)
  const figures = { upgrades: 0, kills: 0, 'changes meanwhile': 0 }
  const violations: Violation[] = []
  const olds = new Map<Engine, Old>()
  try {
    for (let at = 0; at < count && violations.length === 0 && !signal.aborted; at++) {
      const [engine, isKill] = planOf(at)
      if (isKill) {
        const old = olds.get(engine) ?? (await makeOld(build, engine))
        violations.push(...(await killOnce(build, old, killPlace(random, old, !olds.has(engine)))))
        olds.set(engine, old)
        figures.kills++
      } else {
        const upgraded = await upgradeUnderLoad(build, engine, random)
        violations.push(...upgraded.violations)
        figures['changes meanwhile'] += upgraded.changes
      }
      progress(++figures.upgrades)
    }
  } finally {
    for (const { database } of olds.values()) await database.drop()
  }
  return { figures: { ...figures, 'failed or lost': violations.length }, violations }
}

/** Runs one of each kind on each engine first. */
function planOf(at: number): [engine: Engine, isKill: boolean] {
  const first: [Engine, boolean][] = [
    ['sqlite', true],
    ['postgres', false],
    ['sqlite', false],
    ['postgres', true],
  ]
  return first[at] ?? [engines[at % 2] as Engine, Math.floor(at / 2) % (killsForOne + 1) !== 0]
}
