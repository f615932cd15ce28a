const oneIn = 4
/** So many of those who left, or twice as many, are known for each who is inside. */
const knownForEach = 3
const bits = 2 ** 21
const notedAtLeast = 1000
/** With so many, of two generations and two bits each, three in a hundred newcomers are taken for one of them. */
const notedAtMost = bits / 16

/** As what somebody may come in. */
export type Admission = 'new' | 'known'

/**
 * Who may come into a place that is full: all who are new, and one in four of those who were there lately or stood
 * before it. If all were let in, whoever goes over and over through more than fits would find nothing of it: each would
 * have gone again before it is asked for a second time. If one in four of all were let in, it would take long to learn
 * what is asked for from now on. Lately is, since three times as many have left as there are inside, or six times.
 */
export class Door {
  readonly #inside: () => number
  #came = 0
  #noted = 0
  #now = new Uint32Array(bits / 32)
  #before = new Uint32Array(bits / 32)

  constructor(inside: () => number) {
    this.#inside = inside
  }

  admits(name: string): Admission | undefined {
    const hash = hashOf(name)
    if (!isNoted(this.#now, hash) && !isNoted(this.#before, hash)) return 'new'
    if (this.#came++ % oneIn === 0) return 'known'
    this.#note(hash)
    return undefined
  }

  /** It had to go for others. */
  left(name: string): void {
    this.#note(hashOf(name))
  }

  #note(hash: number): void {
    if (isNoted(this.#now, hash)) return
    if (this.#noted >= Math.min(Math.max(knownForEach * this.#inside(), notedAtLeast), notedAtMost)) {
      this.#before.fill(0)
      ;[this.#now, this.#before] = [this.#before, this.#now]
      this.#noted = 0
    }
    set(this.#now, firstPlace(hash))
    set(this.#now, secondPlace(hash))
    this.#noted++
  }
}

function isNoted(noted: Uint32Array, hash: number): boolean {
  return isSet(noted, firstPlace(hash)) && isSet(noted, secondPlace(hash))
}

function isSet(noted: Uint32Array, place: number): boolean {
  return ((noted[place >> 5] as number) & (1 << (place & 31))) !== 0
}

function set(noted: Uint32Array, place: number): void {
  noted[place >> 5] = (noted[place >> 5] as number) | (1 << (place & 31))
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return hash
}

function firstPlace(hash: number): number {
  return (hash ^ (hash >>> 21)) & (bits - 1)
}

/** The golden ratio of 32 bits puts those who share the first place far from each other. */
function secondPlace(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> 11
}
