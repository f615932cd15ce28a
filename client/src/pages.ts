import type { CallOptions, Calls } from './calls.ts'

/** The query of the next page. Where the list is, behind whatever proxies, is known here and not there. */
const nextQuery = /<[^>?]*(\?[^>]+)>\s*;[^,]*\brel="?next\b/

/** All items of a list, fetched page by page while they are read: `for await (const item of pages)`. */
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

  /** The same a page at a time. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    for (let path: string | undefined = this.#path; path !== undefined; ) {
      const page: Page<Item> = await this.#page(path)
      yield page.items
      path = page.next
    }
  }

  /** All of them at once. */
  async all(): Promise<Item[]> {
    const items: Item[] = []
    for await (const page of this.pages()) items.push(...page)
    return items
  }

  async #page(path: string): Promise<Page<Item>> {
    const call = { path, options: this.#options, isRepeatable: true }
    const { body, headers } = await this.#calls.answer<never>({ method: 'GET', ...call })
    const query = nextQuery.exec(headers.get('link') ?? '')?.[1]
    return { items: this.#itemsOf(body), next: query && this.#path.split('?')[0] + query }
  }
}

interface Page<Item> {
  items: Item[]
  next: string | undefined
}
