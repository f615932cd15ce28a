import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Applied, applyEstate } from '../atrium.ts'
import type { Context } from './context.ts'
import { amount } from './start.ts'

const largeScale = 10

/** Measures `atrium apply` of the whole estate into an empty database; only once for a large one. */
export async function measureApply(context: Context, estateFile: () => Promise<string>): Promise<void> {
  const { databases, estate, timing, quick, folder } = context
  const known = databases.madeNow ? [databases.made.applied] : []
  const rounds = quick || estate.scale >= largeScale ? 1 : timing.rounds
  const applied: Applied[] = known
  while (applied.length < rounds) {
    const name = `applied_${applied.length}`
    const database = await databases.empty(name)
    applied.push(await applyEstate(database, await estateFile(), join(folder, 'apply.log')))
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `${name}.db${end}`), { force: true })
  }
  const seconds = applied.map((one) => one.seconds)
  const peaks = applied.map(({ peakMegabytes }) => peakMegabytes)
  context.add({ ...amount(context, 'apply', 's', seconds), details: { areas: estate.facilities * estate.areas } })
  context.add(amount(context, 'apply memory', 'MB', peaks))
}
