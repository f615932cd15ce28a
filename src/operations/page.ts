import { hash } from 'node:crypto'
import { Refusal } from '../domain/refusal.ts'
import { etagOf, type Representation } from '../domain/representation.ts'

/** Which part of a list is asked for. The cursor is one that an earlier page gave. */
export interface PageRequest {
  limit: number | undefined
  cursor: string | undefined
}

/** Reads the query's parameters once the caller is known to be allowed; a bad one is refused then and not before. */
export type Ask<T> = () => T

export interface Page<T> {
  items: T[]
  next: string | undefined
}

/** A part of a list as it is answered. */
export interface PageText extends Representation {
  next: string | undefined
}

/** Returns the page with an ETag that also covers where the next one begins: `Link` is part of what a 304 confirms. */
export function pageText(json: string, next: string | undefined): PageText {
  return { json, etag: etagOf(next === undefined ? json : `${json}\n${next}`), next }
}

const scopeLength = 11

/**
 * Returns the name of one list with its filters, for its cursors: on another list, or with other filters, a cursor would
 * leave rows out without a word.
 */
export function listName(kind: string, ...scope: (string | number | undefined)[]): string {
  return `${kind}.${hash('sha256', JSON.stringify(scope), 'base64url').slice(0, scopeLength)}`
}

/** Returns the name of a list for its cursors, with all of a search but the page: every filter, and the order. */
export function searchName(kind: string, search: object, ...scope: string[]): string {
  const { limit: _limit, cursor: _cursor, ...filters } = search as Record<string, unknown>
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return listName(kind, ...scope, JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** Whether the list is asked for as a whole. */
export function isWhole(search: object): boolean {
  return Object.values(search).every((value) => value === undefined)
}

/** A cursor names its list and the last row that was given, so that rows that come and go move nothing. */
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
  if (place === undefined) {
    const detail = '"cursor" must be one that a Link header of this list gave, with the same filters.'
    throw new Refusal('parameter_invalid', detail)
  }
  return place
}

/** One row more than the page tells whether there is a next one. */
export function andOne(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : limit + 1
}

/** Cuts a list that was fetched with one row more than asked for, or whole. */
export function cut<T>(rows: T[], limit: number | undefined, cursorOf: (last: T) => string): Page<T> {
  if (limit === undefined || rows.length <= limit) return { items: rows, next: undefined }
  const items = rows.slice(0, limit)
  return { items, next: cursorOf(items[limit - 1] as T) }
}
