import { hash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Refusal } from '../domain/refusal.ts'
import { etagOf, type Representation } from '../domain/representation.ts'

export interface PageRequest {
  limit: number | undefined
  cursor: string | undefined
}

/** Parses the query after the permission check: a caller without permission learns nothing about parameters. */
export type ParseQuery<T> = () => T

export interface Page<T> {
  items: T[]
  next: string | undefined
}

/** `total` is the number of items on all pages together. */
export interface CmsPage<T> extends Page<T> {
  total: number
}

const exportPageSize = 500

/** Yields all pages, for an export. Each has its own transaction, since sending an export can take long. */
export async function* allPages<T>(
  find: (page: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
): AsyncGenerator<T[]> {
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await find({ limit: exportPageSize, cursor })
    yield items
    if (next === undefined) return
    cursor = next
    await yieldToEventLoop()
  }
}

export interface PageText extends Representation {
  next: string | undefined
}

/** Includes `next`, the next page's cursor, in the ETag: a 304 also confirms the `Link` header with this cursor. */
export function pageText(json: string, next: string | undefined): PageText {
  return { json, etag: etagOf(next === undefined ? json : `${json}\n${next}`), next }
}

const scopeLength = 11

/** Returns a hash, by which a cursor from another list or with other filters is refused. */
export function listName(kind: string, ...scope: (string | number | undefined)[]): string {
  return `${kind}.${hash('sha256', JSON.stringify(scope), 'base64url').slice(0, scopeLength)}`
}

/** See `listName`. Depends on all filters and the order, but not on limit and cursor. */
export function searchName(kind: string, search: object, ...scope: string[]): string {
  const { limit: _limit, cursor: _cursor, ...filters } = search as Record<string, unknown>
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return listName(kind, ...scope, JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** Returns whether the whole list is requested, without filter, limit or cursor. */
export function isWholeList(search: object): boolean {
  return Object.values(search).every((value) => value === undefined)
}

/** Encodes the sort key of a page's last row: inserted and deleted rows do not shift the page that begins after it. */
export function encodeCursor(list: string, ...place: (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...place])).toString('base64url')
}

export function decodeCursor<T>(
  list: string,
  cursor: string | undefined,
  read: (place: unknown[]) => T | undefined,
): T | undefined {
  if (cursor === undefined) return undefined
  let place: T | undefined
  try {
    const [found, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    place = found === list ? read(rest) : undefined
  } catch {}
  if (place === undefined) throw cursorRefused()
  return place
}

export function cursorRefused(): Refusal {
  const detail = '"cursor" must be one that a Link header of this list gave, with the same filters.'
  return new Refusal('parameter_invalid', detail)
}

/** Returns how many rows to fetch for a page: one more than its limit, to learn whether there is a next page. */
export function withLookahead(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : limit + 1
}

/** Makes a page of rows, fetched with the limit of `withLookahead`. Without a limit, all rows are on one page. */
export function toPage<T>(rows: T[], limit: number | undefined, cursorOf: (last: T) => string): Page<T> {
  if (limit === undefined || rows.length <= limit) return { items: rows, next: undefined }
  const items = rows.slice(0, limit)
  return { items, next: cursorOf(items[limit - 1] as T) }
}
