import { join } from 'node:path'
import { plant } from '../../test/torture/plant.ts'
import { serveAtrium } from '../atrium.ts'
import type { Figure } from '../figure.ts'
import { atTheEnd, end } from '../processes.ts'
import { askAtrium } from '../requests.ts'
import { measureSides, type Side } from './back-to-back.ts'
import type { Context } from './context.ts'
import { roundByRound } from './scale.ts'

const writes = ['W1', 'W2', 'W3', 'W4'] as const
const beginning = 'export function recordAudit(tx: Tx, entry: AuditEntry): void {\n'

/**
 * What the audit log costs: writes by the program as it is, and by one that writes no entries, in turn. Both are copies
 * of the sources, so that nothing else tells them apart, and each has a database of its own.
 */
export async function measureAudit(context: Context): Promise<void> {
  const sides = [
    await serve(context, 'with_entries', ''),
    await serve(context, 'without_entries', '  if (entry) return\n'),
  ]
  for (const work of writes) {
    const [having = [], lacking = []] = await measureSides(sides, work)
    for (const figure of besideNoEntries(having, lacking)) context.add(figure)
  }
  for (const side of sides) await side.stop()
}

/** Each ratio that has a target, to the same without entries. */
export function besideNoEntries(having: Figure[], lacking: Figure[]): Figure[] {
  return having.flatMap((figure) => {
    const { name, engine, scale, limit, measured, target } = figure
    const other = lacking.find((one) => one.limit === limit)
    const compared = roundByRound(figure, other)
    if (target === undefined || compared === undefined) return []
    const rates = { having: measured, lacking: other?.measured }
    return {
      name: `${name} audit`,
      engine,
      scale,
      ...compared,
      limit: `without entries, to ${limit}`,
      details: { rates },
    }
  })
}

async function serve(context: Context, name: string, first: string): Promise<Side & { stop(): Promise<void> }> {
  const { estate, databases, folder } = context
  const copy = plant({ name, file: 'src/storage/audit.ts', find: beginning, replace: `${beginning}${first}` })
  atTheEnd(async () => copy[Symbol.dispose]())
  const serving = await serveAtrium(await databases.copy(name), join(folder, `${name}.log`), { build: copy.build })
  const subject = { ...serving, asking: askAtrium(estate, databases.made.tokens) }
  return { context, subject, stop: () => end(serving.child) }
}
