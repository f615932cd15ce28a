import { stolenShare, type Ticks, ticksNow } from '../stolen.ts'
import type { Timing } from './context.ts'

/** Maximum share of CPU steal time in a valid round. */
const maxStealShare = 0.1

export interface Rounds<Round> {
  rounds: Round[]
  /** Number of rounds repeated because of CPU steal time, regardless of their result. */
  repeated: number
}

/** Runs the given number of rounds, repeating those with too much CPU steal time up to a limit. */
export async function quietRounds<Round>(
  { rounds: count, repeats }: Pick<Timing, 'rounds' | 'repeats'>,
  measure: () => Promise<Round>,
  ticks: () => Ticks | undefined = ticksNow,
): Promise<Rounds<Round>> {
  const rounds: Round[] = []
  let repeated = 0
  while (rounds.length < count) {
    const before = ticks()
    const round = await measure()
    const stolen = stolenShare(before, ticks()) ?? 0
    if (stolen > maxStealShare && repeated < repeats) repeated++
    else rounds.push(round)
  }
  return { rounds, repeated }
}

/** Runs each of them once per round, one after another, and returns the results of each. */
export async function inTurn<One, Round>(
  ones: One[],
  timing: Pick<Timing, 'rounds' | 'repeats'>,
  measure: (one: One) => Promise<Round>,
): Promise<Rounds<Round>[]> {
  const { rounds, repeated } = await quietRounds(timing, async () => {
    const round: Round[] = []
    for (const one of ones) round.push(await measure(one))
    return round
  })
  return ones.map((_, at) => ({ rounds: rounds.map((round) => round[at] as Round), repeated }))
}
