import type { Harness } from './harness.ts'
import type { HarnessResult } from './result.ts'

/**
 * Sorts harnesses that need least time for their whole count first, because the rest of their share goes to the others.
 * A harness without a known time keeps its position, before those that need longest.
 */
export function inOrderOfNeed(chosen: Harness[], last: HarnessResult[]): Harness[] {
  const needOf = ({ name, counts }: Harness) => {
    const run = last.find((result) => result.harness === name)?.run
    return run === undefined || run.done === 0 ? 0 : (run.seconds / run.done) * counts.torture
  }
  return chosen.toSorted((a, b) => needOf(a) - needOf(b))
}

/** When the next of several harnesses must end, so that each one after it gets as much. */
export function shareEndsAtMs(nowMs: number, endsAtMs: number, waiting: number): number {
  return nowMs + Math.max(0, endsAtMs - nowMs) / waiting
}
