import { Refusal } from '../../domain/refusal.ts'
import type { Json } from '../openapi/json-schema.ts'
import { queryOf } from '../query.ts'

/** A query parameter: how it is read, and what the OpenAPI document says of it. */
interface Parameter<T> {
  description: string
  schema: Json
  example: unknown
  rule: string
  read(text: string): T | undefined
}

const parameter = <T>(parameter: Parameter<T>) => parameter

export const pageLength = 100
const pageLengthAtMost = 1000

/** All the parameters of `/cms/v1`; each route takes some of them. */
export const parameters = {
  limit: parameter({
    description: `How many items a page has; ${pageLength} without it.`,
    schema: { type: 'integer', minimum: 1, maximum: pageLengthAtMost },
    example: 100,
    rule: `must be a whole number from 1 to ${pageLengthAtMost}`,
    read: (text) => inRange(/^\d{1,4}$/.test(text) ? Number(text) : 0),
  }),
  cursor: parameter({
    description: 'Where the page begins: taken from the `Link` header of the page before.',
    schema: { type: 'string', pattern: '^[\\w-]{1,1024}$' },
    example: 'WyJmIiwxXQ',
    rule: 'must be one that a Link header of this list gave',
    read: (text) => (/^[\w-]{1,1024}$/.test(text) ? text : undefined),
  }),
  q: parameter({
    description: 'Only items of which a word begins like this; case and accents are ignored.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'suite',
    rule: 'must be 1 to 255 characters',
    read: (text) => (text.trim() !== '' && text.length <= 255 && !text.includes('\0') ? text : undefined),
  }),
}

export type CmsParameter = keyof typeof parameters

export type CmsQuery = { [Name in CmsParameter]?: NonNullable<ReturnType<(typeof parameters)[Name]['read']>> }

/** Reads the parameters that a route knows and refuses every other, repeats included. */
export function readCmsQuery(url: string, known: readonly CmsParameter[]): CmsQuery {
  const given = new URLSearchParams(queryOf(url))
  const query: Record<string, unknown> = {}
  for (const name of given.keys()) {
    if (!known.includes(name as CmsParameter)) {
      const list = known.length === 0 ? 'This route takes none.' : `Known here: ${known.join(', ')}.`
      throw new Refusal('parameter_unknown', `A query parameter is not known. ${list}`, { known: [...known] })
    }
    const { read, rule } = parameters[name as CmsParameter]
    const [text = '', ...others] = given.getAll(name)
    const value = others.length === 0 ? read(text) : undefined
    if (value === undefined) throw new Refusal('parameter_invalid', `The query parameter "${name}" ${rule}.`)
    query[name] = value
  }
  return query
}

function inRange(limit: number): number | undefined {
  return limit >= 1 && limit <= pageLengthAtMost ? limit : undefined
}
