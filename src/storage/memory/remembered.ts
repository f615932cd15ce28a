import { ownText } from '../../domain/text.ts'
import { Bounded, type Weighed } from './bounded.ts'
import type { Maybe } from './maybe.ts'

export interface Loading<V> {
  load(key: string): Maybe<V | undefined>
  /** What it stands on was forgotten. */
  isStale?(value: V): boolean
  gone?(value: V): void
}

export interface Figures {
  hits: number
  misses: number
  bytes: number
  entries: number
}

/** Values that are loaded when they are first asked for, and again once they were forgotten. */
export class Remembered<V extends Weighed> {
  readonly #kept: Bounded<V>
  readonly #load: Loading<V>['load']
  readonly #isStale: (value: V) => boolean
  readonly #gone: (value: V) => void
  readonly #loading = new Map<string, Promise<V | undefined>>()
  #hits = 0
  #misses = 0

  constructor(limitBytes: number, { load, isStale = () => false, gone = () => {} }: Loading<V>) {
    this.#kept = new Bounded<V>(limitBytes, gone)
    this.#load = load
    this.#isStale = isStale
    this.#gone = gone
  }

  get figures(): Figures {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#kept.bytes, entries: this.#kept.size }
  }

  /** What is at hand. */
  get(key: string): V | undefined {
    const value = this.#kept.get(key)
    if (value === undefined || this.#isStale(value)) return undefined
    this.#hits++
    return value
  }

  /** The same, without being a use of it. */
  peek(key: string): V | undefined {
    return this.#kept.peek(key)
  }

  /** What is at hand or in the database, read in another way if need be; what is in neither is not remembered. */
  find(key: string, load = this.#load): Maybe<V | undefined> {
    const value = this.get(key)
    if (value !== undefined) return value
    this.#misses++
    return this.#loading.get(key) ?? this.#loadAs(ownText(key), load)
  }

  forget(key: string): void {
    this.forgetLoad(key)
    this.#kept.delete(key)
  }

  /** It may have read what is no longer true: its result is not kept. */
  forgetLoad(key: string): void {
    this.#loading.delete(key)
  }

  /** For what is made of other things too: a load that is under way may have read one of them too early. */
  forgetLoads(): void {
    this.#loading.clear()
  }

  forgetAll(): void {
    this.#loading.clear()
    this.#kept.clear()
  }

  #loadAs(key: string, load: Loading<V>['load']): Maybe<V | undefined> {
    const loading = load(key)
    if (!(loading instanceof Promise)) return this.#keep(key, loading)
    this.#share(key, loading)
    return loading
  }

  #share(key: string, loading: Promise<V | undefined>): void {
    this.#loading.set(key, loading)
    const done = (value?: V) => {
      if (this.#loading.get(key) === loading) {
        this.#loading.delete(key)
        this.#keep(key, value)
      } else if (value !== undefined) this.#gone(value)
    }
    loading.then(done, () => done())
  }

  #keep(key: string, value: V | undefined): V | undefined {
    if (value !== undefined) this.#kept.set(key, value)
    return value
  }
}
