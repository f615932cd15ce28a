export interface CacheMetrics {
  hits: number
  /** Lookups that went to the database. */
  misses: number
  bytes: number
  entries: number
}

/** A full cache admits one of this many new keys, chosen at random. */
const admittedOneIn = 4

interface LruOptions<V> {
  maxBytes: number
  /** Returns the size of an entry in bytes, including overhead. Must always be the same for a value. */
  bytesOf(key: string, value: V): number
  /** Called with each entry that was evicted or not admitted, but not with those that were deleted or replaced. */
  onEvict?(key: string, value: V): void
  /** Tests replace `Math.random`. */
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
 * A map limited in bytes, from which the least recently used entries are evicted: a Map finds entries, and a doubly
 * linked list holds them in order of use. All operations take constant time.
 *
 * A full cache admits a new key with probability 1/4 (scan resistance). With plain LRU, a repeated scan over more keys
 * than fit evicts each entry shortly before its next use and never hits. A popular key is still admitted after a few
 * misses.
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

  /** Does not mark the key as used. */
  peek(key: string): V | undefined {
    return this.#nodes.get(key)?.value
  }

  /** Stores a value. If it is too large, or the full cache does not admit it, passes it to `onEvict` instead. */
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
