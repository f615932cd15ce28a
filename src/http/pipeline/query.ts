import { Refusal } from '../../domain/refusal.ts'
import type { Json } from '../openapi/json-schema.ts'

interface Parameter<T> {
  /** The name in the URL, if it differs from the key: a name with two meanings on two routes needs two keys. */
  name?: string
  description: string
  schema: Json
  example: unknown
  rule: string
  read(text: string): T | undefined
}

export const parameter = <T>(parameter: Parameter<T>) => parameter

export const flag = (description: string, example: unknown, schema: Json = { type: 'boolean' }) =>
  parameter({
    description,
    schema,
    example,
    rule: 'must be true or false',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  })

const statusPattern = '^[1-5](?:\\d\\d|xx)$'

/** A filter such as `404` or `4xx`, which is read as a range of statuses, both ends included. */
export const statusFilter = (description: string) =>
  parameter({
    name: 'status',
    description,
    schema: { type: 'string', pattern: statusPattern },
    example: '4xx',
    rule: 'must be a status such as 403 or 4xx',
    read: (text): readonly [number, number] | undefined =>
      new RegExp(statusPattern).test(text)
        ? [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))]
        : undefined,
  })

/** The form that a path or query must have, for the message of a refusal. */
export const percentEncoded =
  'percent-encoded UTF-8: each "%" must be followed by two hexadecimal digits, and a "%" that is meant is written %25'

type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<P extends Parameters> = {
  [Name in keyof P]: Exclude<ReturnType<P[Name]['read']>, undefined> | undefined
}

export function parseQuery<P extends Parameters>(parameters: P, url: string, known: readonly (keyof P & string)[]) {
  const query = queryOf(url)
  if (!isDecodable(query)) throw new Refusal('parameter_invalid', `The query is not ${percentEncoded}.`)
  const names = known.map((key) => nameOf(parameters, key))
  const given = new URLSearchParams(query)
  for (const name of given.keys()) {
    if (!names.includes(name)) throw unknownParameter(names, isNameIn(parameters, name) ? name : undefined)
    if (given.getAll(name).length > 1) throw invalid(name, 'must be sent once')
  }
  const values: Record<string, unknown> = {}
  for (const [name, text] of given) {
    const key = known[names.indexOf(name)] ?? ''
    values[key] = parameters[key]?.read(text)
    if (values[key] === undefined) throw invalid(name, parameters[key]?.rule ?? '')
  }
  return values as ValuesOf<P>
}

export function nameOf(parameters: Parameters, key: string): string {
  return parameters[key]?.name ?? key
}

function isNameIn(parameters: Parameters, name: string): boolean {
  return Object.keys(parameters).some((key) => nameOf(parameters, key) === name)
}

/**
 * Creates the refusal of an unknown parameter. `name` is set only if another route has this parameter: any other name
 * could be a secret, which the message must not repeat.
 */
function unknownParameter(known: string[], name?: string): Refusal {
  const list = known.length === 0 ? 'This route takes none.' : `This route takes: ${known.join(', ')}.`
  const which = name === undefined ? 'A query parameter' : `The query parameter "${name}"`
  return new Refusal('parameter_unknown', `${which} is not known. ${list}`, { known })
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

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** Returns the Link header (RFC 8288) to the next page of a list, with the same filters. */
export function nextPageLink(url: string, cursor: string): string {
  const parameters = new URLSearchParams(queryOf(url))
  parameters.set('cursor', cursor)
  return `<${url.split('?')[0]}?${parameters}>; rel="next"`
}
