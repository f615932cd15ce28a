import type { Pair } from './pairs.ts'

const differenceAtMostNs = 3000
const pairsPerBlock = 200
/** Below this, the median is not significant. */
const blocksToTime = 50

/** By order within the pair, how much longer the hidden one took. */
interface Block {
  hiddenFirst: number[]
  absentFirst: number[]
}

/**
 * Returns how much longer hidden things take than absent ones. The order within pairs alternates, so that the effect of
 * the first request on the second cancels out. The median of blocks ignores those that other programs disturbed.
 */
export class Differences {
  readonly #blocksNs: number[] = []
  #block: Block = { hiddenFirst: [], absentFirst: [] }
  #pairs = 0

  get isHiddenFirst(): boolean {
    return this.#pairs % 2 === 0
  }

  add(longerNs: number): void {
    const { hiddenFirst, absentFirst } = this.#block
    if (this.isHiddenFirst) hiddenFirst.push(longerNs)
    else absentFirst.push(longerNs)
    if (++this.#pairs % pairsPerBlock !== 0) return
    this.#blocksNs.push((medianOf(hiddenFirst) + medianOf(absentFirst)) / 2)
    this.#block = { hiddenFirst: [], absentFirst: [] }
  }

  get medianNs(): number {
    return Math.round(medianOf(this.#blocksNs))
  }

  get isTooLarge(): boolean {
    return this.#blocksNs.length >= blocksToTime && Math.abs(this.medianNs) > differenceAtMostNs
  }
}

export type DifferencesByKind = Record<Pair['kind'], Differences>

function medianOf(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2
}
