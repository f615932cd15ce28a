const oneIn = 4
const bits = 2 ** 20
const notedAtLeast = 1000
/** With so many, of two generations, a fourth of all newcomers would be taken for one of them. */
const notedAtMost = bits / 8

/**
 * Who may come into a place that is full: all who are new, and one in four of those who were there lately or stood
 * before it. If all were let in, whoever goes over and over through more than fits would find nothing of it: each would
 * have gone again before it is asked for a second time. If one in four of all were let in, it would take long to learn
 * what is asked for from now on. Lately is, since as many have left as there are inside, or twice as many.
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

  admits(name: string): boolean {
    const place = placeOf(name)
    const isNew = !isSet(this.#now, place) && !isSet(this.#before, place)
    if (isNew || this.#came++ % oneIn === 0) return true
    this.#note(place)
    return false
  }

  /** It had to go for others. */
  left(name: string): void {
    this.#note(placeOf(name))
  }

  #note(place: number): void {
    if (isSet(this.#now, place)) return
    if (this.#noted >= Math.min(Math.max(this.#inside(), notedAtLeast), notedAtMost)) {
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
