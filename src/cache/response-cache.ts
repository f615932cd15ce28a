import { andThen, type MaybePromise } from '../domain/maybe.ts'
import { etagOf } from '../domain/representation.ts'
import { type CacheMetrics, LruCache } from './lru-cache.ts'
import { SingleFlight } from './single-flight.ts'

/** A JSON body, as text or as bytes that are never modified. */
export type Body = string | Uint8Array<ArrayBuffer>

/** The body of an HTTP response with its ETag. Its bytes are never modified, since responses in flight share them. */
export interface CachedResponse {
  readonly key: string
  /** Distinguishes responses with the same key, for example by the fields that the partner may read. */
  readonly variant: string
  readonly body: Buffer
  readonly etag: string
  /** The length of `body` in bytes. */
  readonly length: number
  /** The compressed bodies by content encoding, such as `gzip`. Each is added when it is first requested. */
  readonly encoded: ReadonlyMap<string, Buffer> | undefined
}

/** The result of `ResponseCache.load`: undefined only if the function that makes the body can return that. */
export type Loaded<B> = MaybePromise<CachedResponse | Extract<B, undefined>>

/** The ETag of a response whose body was evicted. It is enough to respond 304 to `If-None-Match`. */
export interface CachedEtag {
  readonly etag: string
  readonly length: number
  readonly body?: undefined
  readonly encoded?: undefined
}

/** The share of the cache for bodies. The rest is for ETags of responses whose body was evicted. */
const bodiesShare = 0.78
/** The bytes that an entry takes besides its body, measured as the growth of resident memory by 100,000 entries. */
const overheadBytes = 700
const packedOverheadBytes = 250
/** Bodies up to this many bytes are stored with their ETag in one string, which takes less memory than an object. */
const maxPackedBytes = 4096
const etagLength = etagOf('').length

/** A stored response: a short one is a Latin-1 string of variant, space, ETag and body; a long one is an object. */
type Stored = string | CachedResponse
const etagOverheadBytes = 200

/**
 * A cache of response bodies, limited in bytes. A key names a resource, a variant one representation of it, for example
 * for partners that may read the same fields; invalidating a key removes all its variants. When a long body is evicted,
 * its ETag stays in a second LRU cache until the key is invalidated, so that conditional requests still need no query.
 */
export class ResponseCache {
  readonly #entries: LruCache<Stored[]>
  readonly #etags: LruCache<CachedEtag>
  readonly #flights = new SingleFlight<CachedResponse | undefined>()
  #hits = 0
  #misses = 0
  #etagHits = 0

  constructor(maxBytes: number) {
    const bytesOf = (key: string, responses: Stored[]) => key.length + responses.reduce(addBytes, 0)
    const onEvict = (key: string, [response]: Stored[]) => this.#keepEtag(key, response as Stored)
    this.#entries = new LruCache({ maxBytes: maxBytes * bodiesShare, bytesOf, onEvict })
    this.#etags = new LruCache({
      maxBytes: maxBytes * (1 - bodiesShare),
      bytesOf: (key) => etagOverheadBytes + key.length,
    })
  }

  get metrics(): CacheMetrics {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#entries.bytes, entries: this.#entries.size }
  }

  get etagMetrics(): CacheMetrics {
    return { hits: this.#etagHits, misses: 0, bytes: this.#etags.bytes, entries: this.#etags.size }
  }

  get(key: string, variant = ''): CachedResponse | undefined {
    const found = this.#entries.get(key)?.find((stored) => isOf(stored, variant))
    if (found === undefined) return undefined
    this.#hits++
    return unpack(found, key, variant)
  }

  /** Returns the ETag that was kept for a response whose body was evicted, if `isEnough` accepts it. */
  etagOf(key: string, isEnough: (etag: string) => boolean): CachedEtag | undefined {
    const found = this.#etags.get(key)
    const isHit = found !== undefined && isEnough(found.etag)
    if (isHit) this.#etagHits++
    return isHit ? found : undefined
  }

  /** Returns the cached response, or makes and caches it. Caches nothing if `make` returns undefined. */
  load<B extends Body | undefined>(key: string, variant: string, make: () => MaybePromise<B>): Loaded<B> {
    const found = this.get(key, variant)
    if (found !== undefined) return found
    const respond = () =>
      andThen(make(), (body) => (body === undefined ? undefined : this.#respond(key, variant, body)))
    return this.#flights.run(key, variant, respond, (response) => response && this.#store(response)) as Loaded<B>
  }

  /** Adds a compressed body to a response, unless this was evicted, invalidated or replaced meanwhile. */
  addEncoding(response: CachedResponse, encoding: string, body: Buffer): void {
    const { key, variant, etag } = response
    const found = this.#entries.peek(key)?.find((stored) => isOf(stored, variant))
    if (found === undefined || unpack(found, key, variant).etag !== etag || response.encoded?.has(encoding)) return
    this.#store({ ...response, encoded: new Map(response.encoded).set(encoding, body) })
  }

  invalidate(key: string): void {
    this.#flights.invalidate(key)
    this.#entries.delete(key)
    this.#etags.delete(key)
  }

  clear(): void {
    this.#flights.invalidateAll()
    this.#entries.clear()
    this.#etags.clear()
  }

  #respond(key: string, variant: string, made: Body): CachedResponse {
    this.#misses++
    const body = typeof made === 'string' ? Buffer.from(made) : Buffer.from(made.buffer, made.byteOffset, made.length)
    return { key, variant, body, etag: etagOf(body), length: body.length, encoded: undefined }
  }

  #store(response: CachedResponse): CachedResponse {
    const { key, variant } = response
    const others = this.#entries.peek(key)?.filter((stored) => !isOf(stored, variant)) ?? []
    this.#etags.delete(key)
    this.#entries.set(key, [...others, pack(response)])
    return response
  }

  /** Keeps one ETag per key, which is enough: resources with long bodies have a single variant. */
  #keepEtag(key: string, stored: Stored): void {
    if (typeof stored !== 'string') this.#etags.set(key, { etag: stored.etag, length: stored.length })
  }
}

function addBytes(sum: number, stored: Stored): number {
  if (typeof stored === 'string') return sum + packedOverheadBytes + stored.length
  let bytes = sum + overheadBytes + stored.length
  for (const body of stored.encoded?.values() ?? []) bytes += body.length
  return bytes
}

function isOf(stored: Stored, variant: string): boolean {
  return typeof stored === 'string' ? stored.startsWith(`${variant} `) : stored.variant === variant
}

function pack(response: CachedResponse): Stored {
  const { variant, etag, body, encoded } = response
  if (body.length > maxPackedBytes || encoded !== undefined) return response
  // V8 would store a concatenation as a tree of its parts, which takes more memory.
  return Buffer.from(`${variant} ${etag}${body.toString('latin1')}`, 'latin1').toString('latin1')
}

function unpack(stored: Stored, key: string, variant: string): CachedResponse {
  if (typeof stored !== 'string') return stored
  const etagAt = variant.length + 1
  const bodyAt = etagAt + etagLength
  const body = Buffer.from(stored.slice(bodyAt), 'latin1')
  return { key, variant, body, etag: stored.slice(etagAt, bodyAt), length: body.length, encoded: undefined }
}
