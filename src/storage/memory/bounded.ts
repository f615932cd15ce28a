import { Door } from './door.ts'

export interface Weighed {
  /** Set whenever it is found, so that it outlives the next sweep. */
  used: boolean
  readonly bytes: number
}

/** A map that holds what its budget of bytes allows; what was not used since the hand last came by goes first. */
export class Bounded<V extends Weighed> {
  readonly #map = new Map<string, V>()
  readonly #limitBytes: number
  readonly #gone: (value: V) => void
  readonly #door = new Door(() => this.#map.size)
  /** While the map changes it holds all that was there when it last moved: nobody has one who need not sweep. */
  #hand: MapIterator<string> | undefined
  #bytes = 0

  constructor(limitBytes: number, gone: (value: V) => void = () => {}) {
    this.#limitBytes = limitBytes
    this.#gone = gone
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#map.size
  }

  get(key: string): V | undefined {
    const value = this.#map.get(key)
    if (value !== undefined) value.used = true
    return value
  }

  peek(key: string): V | undefined {
    return this.#map.get(key)
  }

  set(key: string, value: V): void {
    this.delete(key)
    const isFull = this.#bytes + value.bytes > this.#limitBytes
    if (isFull && !this.#door.admits(key)) return this.#gone(value)
    this.#map.set(key, value)
    this.#bytes += value.bytes
    // Who comes is as good as used, or the hand would take it away before what was used long ago.
    value.used = true
    if (isFull) this.#sweep()
    else this.#hand = undefined
  }

  delete(key: string): void {
    const value = this.#map.get(key)
    if (value === undefined) return
    this.#map.delete(key)
    this.#bytes -= value.bytes
    this.#gone(value)
  }

  clear(): void {
    for (const key of [...this.#map.keys()]) this.delete(key)
  }

  /** It goes on where it ended, so that what has gone is not passed again. */
  #sweep(): void {
    while (this.#bytes > this.#limitBytes) {
      this.#hand ??= this.#map.keys()
      const { done, value: key } = this.#hand.next()
      if (done) {
        this.#hand = undefined
        continue
      }
      const value = this.#map.get(key) as V
      if (value.used) {
        value.used = false
        continue
      }
      this.#door.left(key)
      this.delete(key)
    }
  }
}
