import { stolenShare, type Ticks, ticksNow } from '../stolen.ts'
import type { Timing } from './context.ts'

/** A round from which the host took more of the processors says more about the host. */
const stolenAtMost = 0.1

export interface Rounds<Round> {
  rounds: Round[]
  /** How many were measured again for what the host took from them, whatever had come out. */
  repeated: number
}

/** As many rounds as are asked for, without those in which the machine was not ours as long as they may be repeated. */
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
    if (stolen > stolenAtMost && repeated < repeats) repeated++
    else rounds.push(round)
  }
  return { rounds, repeated }
}

/** Each of them once in every round, one after the other; what came out for each. */
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
