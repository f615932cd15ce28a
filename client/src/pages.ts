import type { CallOptions, Calls } from './calls.ts'
import { noteEtag } from './etag.ts'

/** Matches the query of the next page in `Link`; its path and host are ignored, because proxies may change them. */
const nextQuery = /<[^>?]*(\?[^>]+)>\s*;[^,]*\brel="?next\b/

/** Iterates over all items of a list, loading pages as needed: `for await (const item of pages)`. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #calls: Calls
  readonly #path: string
  readonly #itemsOf: (body: never) => Item[]
  readonly #options: CallOptions

  constructor(calls: Calls, path: string, options: CallOptions, itemsOf: (body: never) => Item[]) {
    this.#calls = calls
    this.#path = path
    this.#options = options
    this.#itemsOf = itemsOf
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page
  }

  /** Iterates over pages instead of items. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    for (let path: string | undefined = this.#path; path !== undefined; ) {
      const page: Page<Item> = await this.#page(path)
      yield page.items
      path = page.next
    }
  }

  /** Loads all items into an array. */
  async all(): Promise<Item[]> {
    const pages: Item[][] = []
    for await (const page of this.pages()) pages.push(page)
    const [first = [], ...rest] = pages
    // A list in one page keeps its ETag.
    return rest.length === 0 ? first : pages.flat()
  }

  async #page(path: string): Promise<Page<Item>> {
    const call = { path, options: this.#options, isIdempotent: true }
    const { body, headers } = await this.#calls.send<never>({ method: 'GET', ...call })
    const query = nextQuery.exec(headers.get('link') ?? '')?.[1]
    const items = noteEtag(this.#itemsOf(body), headers.get('etag'))
    return { items, next: query && this.#path.split('?')[0] + query }
  }
}

interface Page<Item> {
  items: Item[]
  next: string | undefined
}
