const oneIn = 4
/** So many of those who left, or twice as many, are known for each who is inside. */
const knownForEach = 3
const bits = 2 ** 20
const notedAtLeast = 1000
/** With so many, of two generations, a fourth of all newcomers would be taken for one of them. */
const notedAtMost = bits / 8

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
    const place = placeOf(name)
    if (!isSet(this.#now, place) && !isSet(this.#before, place)) return 'new'
    if (this.#came++ % oneIn === 0) return 'known'
    this.#note(place)
    return undefined
  }

  /** It had to go for others. */
  left(name: string): void {
    this.#note(placeOf(name))
  }

  #note(place: number): void {
    if (isSet(this.#now, place)) return
    if (this.#noted >= Math.min(Math.max(knownForEach * this.#inside(), notedAtLeast), notedAtMost)) {
      this.#before.fill(0)
      ;[this.#now, this.#before] = [this.#before, this.#now]
      this.#noted = 0
    }
    this.#now[place >> 5] = (this.#now[place >> 5] as number) | (1 << (place & 31))
    this.#noted++
  }
}

function isSet(noted: Uint32Array, place: number): boolean {
  return ((noted[place >> 5] as number) & (1 << (place & 31))) !== 0
}

/** FNV-1a. */
function placeOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 20)) & (bits - 1)
}
