import type { Harness } from './harness.ts'
import { type HarnessTask, runInProcess } from './harness-process.ts'
import { type Progress, summary } from './progress.ts'
import type { HarnessResult } from './result.ts'
import type { SavedResults } from './saved-results.ts'
import { inOrderOfNeed, shareEndsAtMs } from './share.ts'

export interface Plan {
  chosen: Harness[]
  seed: number
  /** On the clock of `performance.now()`; infinite when the counts decide. */
  endsAtMs: number
  /** Results of the last full run, which say how long each harness takes. */
  last: HarnessResult[]
  saved: SavedResults
  progress: Progress
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal
}

/** Tries every planted bug first, then runs every harness in full size. An interruption stops it between two steps. */
export async function runAll(plan: Plan): Promise<HarnessResult[]> {
  const { chosen, saved, last, interrupted } = plan
  for (const harness of chosen) if (!interrupted.aborted) await catchPlanted(plan, harness)
  const waiting = inOrderOfNeed(chosen, last).filter(({ name }) => isToRun(saved.results.get(name)))
  for (const [index, harness] of waiting.entries()) {
    if (!interrupted.aborted) await runLarge(plan, harness, waiting.length - index)
  }
  return chosen.map(({ name }) => saved.results.get(name)).filter((result) => result !== undefined)
}

/** Steps that failed before are repeated. */
function isToRun(result: HarnessResult | undefined): boolean {
  const run = result?.run
  return run === undefined || run.crash !== undefined || run.violations.length > 0
}

async function catchPlanted(plan: Plan, harness: Harness): Promise<void> {
  const { name, promises, title, unit, target, counts } = harness
  const before = plan.saved.results.get(name)
  const planted = before?.planted.filter(({ caught }) => caught) ?? []
  if (planted.length === harness.planted.length) return
  for (const { name: bug } of harness.planted) {
    if (planted.some((one) => one.bug === bug)) continue
    const count = counts.planted
    const run = await runUntil(plan, { harness, bug, count }, `${name}, planted bug "${bug}":`, Infinity)
    if (plan.interrupted.aborted) return
    const caught = run.violations.length > 0
    planted.push({ bug, caught, by: firstLine(run.violations[0]?.what ?? run.crash ?? 'it saw nothing') })
    plan.progress.end(caught ? `caught: ${planted.at(-1)?.by}` : `NOT CAUGHT: ${planted.at(-1)?.by}`)
  }
  plan.saved.results.set(name, { ...before, harness: name, promises, title, unit, target, planted })
  plan.saved.save()
}

async function runLarge(plan: Plan, harness: Harness, waiting: number): Promise<void> {
  const result = plan.saved.results.get(harness.name)
  if (result === undefined) return
  const endsAtMs = shareEndsAtMs(performance.now(), plan.endsAtMs, waiting)
  const run = await runUntil(plan, { harness, count: harness.counts.torture }, `${harness.name}:`, endsAtMs)
  const trouble = run.crash ?? (run.violations.length > 0 ? `${run.violations.length} VIOLATIONS` : undefined)
  plan.progress.end(trouble ?? summary(run, harness.unit))
  // Interrupted steps are repeated.
  if (plan.interrupted.aborted && run.violations.length === 0) return
  plan.saved.results.set(harness.name, { ...result, run })
  plan.saved.save()
}

type Part = Pick<HarnessTask, 'harness' | 'bug' | 'count'>

async function runUntil({ seed, progress, interrupted }: Plan, part: Part, title: string, endsAtMs: number) {
  const time = new AbortController()
  const timer = Number.isFinite(endsAtMs) && setTimeout(() => time.abort(), Math.max(1, endsAtMs - performance.now()))
  progress.begin(title, part.count, part.harness.unit, endsAtMs)
  try {
    const signal = AbortSignal.any([time.signal, interrupted])
    return await runInProcess({ ...part, seed, signal, progress: progress.done })
  } finally {
    if (timer) clearTimeout(timer)
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}
