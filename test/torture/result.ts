import type { Violation } from './harness.ts'

/** What became of one run of a harness. */
export interface RunResult {
  /** In the harness's unit. */
  done: number
  count: number
  seconds: number
  figures: Record<string, number>
  violations: Violation[]
  /** Why there is no outcome: it crashed, or did not end. */
  crash?: string
}

export interface PlantedResult {
  bug: string
  caught: boolean
  /** The violation that gave it away, or why it was missed. */
  by: string
}

export interface HarnessResult {
  harness: string
  promises: number[]
  title: string
  unit: string
  target: string
  planted: PlantedResult[]
  /** Missing while it has not been run. */
  run?: RunResult
}

/** In words, best first: what the table says of a promise. */
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
