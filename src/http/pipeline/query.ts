import { wordPattern } from '../../domain/facility.ts'
import { Refusal } from '../../domain/refusal.ts'

const word = new RegExp(wordPattern)

/** The query parameters of `/v1`; each route takes some of them. */
export interface QueryValues {
  limit: number | undefined
  cursor: string | undefined
  status: string | undefined
  q: string | undefined
  after: string | undefined
  wait: number | undefined
  own: boolean | undefined
  active_at: string | undefined
  dry_run: boolean | undefined
}

export type QueryName = keyof QueryValues

const emptyQuery: QueryValues = {
  limit: undefined,
  cursor: undefined,
  status: undefined,
  q: undefined,
  after: undefined,
  wait: undefined,
  own: undefined,
  active_at: undefined,
  dry_run: undefined,
}

/** Parses the parameters that a route knows. Throws when another one is sent, or one is sent twice. */
export function readQuery(url: string, known: readonly QueryName[]): QueryValues {
  const query = queryOf(url)
  if (query === '') return emptyQuery
  if (!isDecodable(query)) throw new Refusal('parameter_invalid', 'The query is not percent-encoded UTF-8.')
  const given = new URLSearchParams(query)
  for (const name of given.keys()) {
    if (!known.includes(name as QueryName)) {
      const list = known.length === 0 ? 'This route takes none.' : `This route takes: ${known.join(', ')}.`
      throw new Refusal('parameter_unknown', `A query parameter is not known. ${list}`, { known: [...known] })
    }
    if (given.getAll(name).length > 1) throw invalid(name, 'must be sent once')
  }
  return {
    limit: read(given, 'limit', toLimit, 'must be a whole number from 1 to 1000'),
    cursor: read(given, 'cursor', toCursor, 'must come from the Link header of a page of this list'),
    status: read(given, 'status', toWord, 'must be a lower-case word such as active'),
    q: read(given, 'q', toText, 'must be 1 to 255 characters'),
    after: read(given, 'after', toCursor, 'must be the "next" of an earlier response, or the id of an event'),
    wait: read(given, 'wait', toWait, 'must be a whole number of seconds from 0 to 30'),
    own: read(given, 'own', toBoolean, 'must be true or false'),
    active_at: read(given, 'active_at', toText, 'must be "now" or a date-time'),
    dry_run: read(given, 'dry_run', toBoolean, 'must be true or false'),
  }
}

function read<T>(
  given: URLSearchParams,
  name: QueryName,
  convert: (text: string) => T | undefined,
  rule: string,
): T | undefined {
  const text = given.get(name)
  if (text === null) return undefined
  const value = convert(text)
  if (value === undefined) throw invalid(name, rule)
  return value
}

function toLimit(text: string): number | undefined {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= 1000 ? limit : undefined
}

function toWait(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) && Number(text) <= 30 ? Number(text) : undefined
}

function toBoolean(text: string): boolean | undefined {
  return text === 'true' || (text === 'false' ? false : undefined)
}

function toText(text: string): string | undefined {
  return text.trim() !== '' && text.length <= 255 && !text.includes('\0') ? text : undefined
}

/**
 * Returns a cursor, or undefined for malformed text. The limit fits the longest id: 64 characters of four bytes, in
 * base64url.
 */
function toCursor(text: string): string | undefined {
  return /^[\w-]{1,512}$/.test(text) ? text : undefined
}

function toWord(text: string): string | undefined {
  return word.test(text) ? text : undefined
}

function invalid(name: string, rule: string): Refusal {
  return new Refusal('parameter_invalid', `The query parameter "${name}" ${rule}.`)
}

function isDecodable(query: string): boolean {
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}

export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** Returns the Link header for the next page: the same list with the same filters (RFC 8288). */
export function nextPageLink(url: string, cursor: string): string {
  const parameters = new URLSearchParams(queryOf(url))
  parameters.set('cursor', cursor)
  return `<${url.split('?')[0]}?${parameters}>; rel="next"`
}
