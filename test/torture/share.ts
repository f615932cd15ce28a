import type { Harness } from './harness.ts'
import type { HarnessResult } from './result.ts'

/**
 * Those that needed least for their whole count come first: what they leave of their share goes to the others. A harness
 * that is not known yet stands where it is listed, before those that are known to need longest.
 */
export function inOrderOfNeed(chosen: Harness[], last: HarnessResult[]): Harness[] {
  const needOf = ({ name, counts }: Harness) => {
    const run = last.find((result) => result.harness === name)?.run
    return run === undefined || run.done === 0 ? 0 : (run.seconds / run.done) * counts.torture
  }
  return chosen.toSorted((a, b) => needOf(a) - needOf(b))
}

/** When the next of so many harnesses must end, so that each that waits behind it gets as much. */
export function shareEndsAtMs(nowMs: number, endsAtMs: number, waiting: number): number {
  return nowMs + Math.max(0, endsAtMs - nowMs) / waiting
}
