/** One of this many new keys is admitted to a full cache. */
const admittedOneIn = 4

export interface LruOptions<V> {
  maxBytes: number
  /** The size of an entry, its share of the bookkeeping included. The same value has the same size each time. */
  bytesOf(key: string, value: V): number
  /** Hears of entries that leave because of space, or that were not admitted. */
  onEvict?(key: string, value: V): void
  /** Between 0 and 1. */
  random?(): number
}

interface Node<V> {
  readonly key: string
  readonly value: V
  readonly bytes: number
  newer: Node<V> | undefined
  older: Node<V> | undefined
}

/**
 * A map that is bounded in bytes and evicts the least recently used entry: a Map to find entries, and a doubly linked
 * list of them in order of use.
 *
 * A full cache admits a new key with probability 1/4. A scan over more keys than fit would otherwise evict each of them
 * shortly before it is asked for again, and never hit; a key that is asked for often is admitted soon all the same.
 */
export class LruCache<V> {
  readonly #nodes = new Map<string, Node<V>>()
  readonly #options: LruOptions<V>
  readonly #random: () => number
  #newest: Node<V> | undefined
  #oldest: Node<V> | undefined
  #bytes = 0

  constructor(options: LruOptions<V>) {
    this.#options = options
    this.#random = options.random ?? Math.random
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#nodes.size
  }

  get(key: string): V | undefined {
    const node = this.#nodes.get(key)
    if (node === undefined) return undefined
    if (node !== this.#newest) {
      this.#unlink(node)
      this.#link(node)
    }
    return node.value
  }

  /** Returns the value without being a use of it. */
  peek(key: string): V | undefined {
    return this.#nodes.get(key)?.value
  }

  /** Stores the value in place of the one before, or evicts it at once when there is no room for it. */
  set(key: string, value: V): void {
    const { maxBytes, bytesOf, onEvict } = this.#options
    const isNew = !this.delete(key)
    const bytes = bytesOf(key, value)
    const isFull = this.#bytes + bytes > maxBytes
    if (bytes > maxBytes || (isFull && isNew && this.#random() * admittedOneIn >= 1)) return onEvict?.(key, value)
    const node = { key, value, bytes, newer: undefined, older: undefined }
    this.#nodes.set(key, node)
    this.#bytes += bytes
    this.#link(node)
    while (this.#bytes > maxBytes) this.#evict(this.#oldest as Node<V>)
  }

  delete(key: string): boolean {
    const node = this.#nodes.get(key)
    if (node !== undefined) this.#remove(node)
    return node !== undefined
  }

  clear(): void {
    this.#nodes.clear()
    this.#newest = undefined
    this.#oldest = undefined
    this.#bytes = 0
  }

  #evict(node: Node<V>): void {
    this.#remove(node)
    this.#options.onEvict?.(node.key, node.value)
  }

  #remove(node: Node<V>): void {
    this.#nodes.delete(node.key)
    this.#bytes -= node.bytes
    this.#unlink(node)
  }

  #link(node: Node<V>): void {
    node.older = this.#newest
    if (this.#newest !== undefined) this.#newest.newer = node
    this.#newest = node
    this.#oldest ??= node
  }

  #unlink(node: Node<V>): void {
    const { newer, older } = node
    if (newer === undefined) this.#newest = older
    else newer.older = older
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    node.newer = undefined
    node.older = undefined
  }
}
