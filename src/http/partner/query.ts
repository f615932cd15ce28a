import { Refusal } from '../../domain/refusal.ts'
import { queryOf } from '../pipeline/query.ts'
import { parameters } from './parameters.ts'

export type QueryName = keyof typeof parameters

/** The values of all query parameters of `/v1`, undefined for each that is not sent. */
export type QueryValues = {
  [Name in QueryName]: Exclude<ReturnType<(typeof parameters)[Name]['read']>, undefined> | undefined
}

const names = Object.keys(parameters) as QueryName[]
const emptyQuery = Object.fromEntries(names.map((name) => [name, undefined])) as QueryValues

/**
 * Parses the query parameters of a route. Throws if the URL has a parameter that is not in `known`, or has one twice.
 */
export function readQuery(url: string, known: readonly QueryName[]): QueryValues {
  const query = queryOf(url)
  if (query === '') return emptyQuery
  if (!isDecodable(query)) throw new Refusal('parameter_invalid', 'The query is not percent-encoded UTF-8.')
  const given = new URLSearchParams(query)
  const accepted = known.map(nameOf)
  for (const name of given.keys()) {
    if (!accepted.includes(name)) throw unknownParameter(accepted)
    if (given.getAll(name).length > 1) throw invalid(name, 'must be sent once')
  }
  const read = known.map((key) => [key, valueIn(key, given.get(nameOf(key)))])
  return { ...emptyQuery, ...Object.fromEntries(read) }
}

/** Returns the name of a parameter in the URL: its property `name` or, if it has none, its key in `parameters`. */
export function nameOf(key: QueryName): string {
  const { name = key }: { name?: string } = parameters[key]
  return name
}

function valueIn(key: QueryName, text: string | null): unknown {
  if (text === null) return undefined
  const { read, rule } = parameters[key]
  const value = read(text)
  if (value === undefined) throw invalid(nameOf(key), rule)
  return value
}

function unknownParameter(known: string[]): Refusal {
  const list = known.length === 0 ? 'This route takes none.' : `This route takes: ${known.join(', ')}.`
  return new Refusal('parameter_unknown', `A query parameter is not known. ${list}`, { known })
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
