import type { Violation } from './harness.ts'

/** The result of one run of a harness. */
export interface RunResult {
  /** In the harness's unit. */
  done: number
  count: number
  seconds: number
  figures: Record<string, number>
  violations: Violation[]
  /** Why there is no result: it crashed, or did not end. */
  crash?: string
}

export interface PlantedResult {
  bug: string
  caught: boolean
  /** The violation that revealed it, or why it was missed. */
  by: string
}

export interface HarnessResult {
  harness: string
  promises: number[]
  title: string
  unit: string
  target: string
  planted: PlantedResult[]
  /** Undefined until it has run. */
  run?: RunResult
}

/** The verdicts of the page, best first. */
export type Verdict = 'kept' | 'kept so far' | 'no time' | 'not tested' | 'blind' | 'crashed' | 'broken'

const failing: Verdict[] = ['blind', 'crashed', 'broken']

export function verdictOf({ planted, run }: HarnessResult): Verdict {
  if (run !== undefined && run.violations.length > 0) return 'broken'
  if (run?.crash !== undefined) return 'crashed'
  if (planted.some(({ caught }) => !caught)) return 'blind'
  if (run === undefined || run.done === 0) return 'no time'
  return run.done < run.count ? 'kept so far' : 'kept'
}

export function isFailure(result: HarnessResult): boolean {
  return failing.includes(verdictOf(result))
}
