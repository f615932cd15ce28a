import type { Run, Violation } from './harness.ts'
import { type Installation, install, type Layout, layouts } from './installation.ts'
import { Random } from './random.ts'
import { estate } from './rooms.ts'

/** Repeats one operation, concurrently with others that do the same. */
export interface Lane {
  once(random: Random): Promise<Violation | undefined>
  end(): void
}

/** The first layout shows most bugs, so a planted bug is caught before the others are started. */
const usual: Layout[] = [layouts.twoNodes, layouts.alone, layouts.workers]
const lanesAtOnce = 4

interface Prepared {
  open: () => Lane
  /** Called before the installation is stopped. */
  end?(): Promise<void>
}

/** Divides the work among the layouts, one after the other; stops at the first violation. */
export async function onLayouts(
  run: Run,
  prepare: (installation: Installation) => (() => Lane) | Promise<Prepared>,
  order: Layout[] = usual,
): Promise<{ done: number; violations: Violation[] }> {
  const total = { done: 0, violations: [] as Violation[] }
  const isOver = () => total.violations.length > 0 || run.signal.aborted
  for (const [at, layout] of order.entries()) {
    if (isOver()) break
    const upTo = Math.round((run.count * (at + 1)) / order.length)
    const random = new Random(run.seed + at)
    const installation = await install(run.build, layout, estate)
    let begun = total.done
    const work = async (lane: Lane) => {
      while (begun++ < upTo && !isOver()) {
        const violation = await lane.once(random.branch())
        if (violation) total.violations.push({ ...violation, what: `${layout.name}: ${violation.what}` })
        run.progress(++total.done)
      }
      lane.end()
    }
    try {
      const prepared = await prepare(installation)
      const { open, end } = typeof prepared === 'function' ? { open: prepared } : prepared
      await Promise.all(Array.from({ length: lanesAtOnce }, () => work(open())))
      await end?.()
    } finally {
      await installation.stop()
    }
  }
  return total
}
