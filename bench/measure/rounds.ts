import { stolenShare, type Ticks, ticksNow } from '../stolen.ts'

/** A round from which the host took more of the processors says more about the host. */
const stolenAtMost = 0.1

export interface Rounds<Round> {
  rounds: Round[]
  /** How many were measured again for what the host took from them, whatever had come out. */
  repeated: number
}

/** So many rounds; up to as many again in place of those in which the machine was not ours. */
export async function quietRounds<Round>(
  count: number,
  measure: () => Promise<Round>,
  ticks: () => Ticks | undefined = ticksNow,
): Promise<Rounds<Round>> {
  const rounds: Round[] = []
  let repeated = 0
  while (rounds.length < count) {
    const before = ticks()
    const round = await measure()
    const stolen = stolenShare(before, ticks()) ?? 0
    if (stolen > stolenAtMost && repeated < count) repeated++
    else rounds.push(round)
  }
  return { rounds, repeated }
}
