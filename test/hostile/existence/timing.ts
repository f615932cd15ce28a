import type { Pair } from './pairs.ts'

const differenceAtMostNs = 3000
const pairsPerBlock = 200
/** Of fewer blocks the median says nothing. */
const blocksToTime = 50

/** How much longer the hidden one of a pair took, by which of the two was asked first. */
interface Block {
  hiddenFirst: number[]
  absentFirst: number[]
}

/**
 * How much longer hidden things take than absent ones. The order of a pair turns with each, so that whatever the second
 * has of the first cancels out; what other programs do spoils a few blocks, and their median does not see those.
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
