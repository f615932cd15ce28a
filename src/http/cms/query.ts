import { wordPattern } from '../../domain/facility.ts'
import { Refusal } from '../../domain/refusal.ts'
import { parameter } from '../pipeline/parameter.ts'
import { queryOf } from '../pipeline/query.ts'
import { logParameters } from './logs/log-parameters.ts'

export const pageLength = 100
const maxPageLength = 1000
const maxIds = 200

/** All query parameters of `/cms/v1`. Each route accepts some of them. */
export const parameters = {
  ...logParameters,
  limit: parameter({
    description: `Items per page; default: ${pageLength}.`,
    schema: { type: 'integer', minimum: 1, maximum: maxPageLength },
    example: 100,
    rule: `must be a whole number from 1 to ${maxPageLength}`,
    read: (text) => inRange(/^\d{1,4}$/.test(text) ? Number(text) : 0),
  }),
  cursor: parameter({
    description: 'Start of the page, from the `Link` header of the previous page.',
    schema: { type: 'string', pattern: '^[\\w-]{1,1024}$' },
    example: 'WyJmIiwxXQ',
    rule: 'must be copied from a Link header of this list',
    read: (text) => (/^[\w-]{1,1024}$/.test(text) ? text : undefined),
  }),
  q: parameter({
    description: 'Only items in which a word begins with this; case and accents are ignored.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'suite',
    rule: 'must be 1 to 255 characters',
    read: (text) => (text.trim() !== '' && text.length <= 255 && !text.includes('\0') ? text : undefined),
  }),
  ids: parameter({
    description: `Only items with these ids, separated by commas; at most ${maxIds}. Unknown ids are ignored.`,
    schema: { type: 'string', minLength: 1 },
    example: 'lyon-01,nice-02',
    rule: `must be 1 to ${maxIds} ids, separated by commas`,
    read: (text) => {
      const ids = text.split(',').map((id) => id.trim())
      return ids.length <= maxIds && ids.every((id) => id !== '' && !id.includes('\0')) ? ids : undefined
    },
  }),
  open: parameter({
    description: 'Only rooms that are open, or only those that are closed.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'true',
    rule: 'must be true or false',
    read: toFlag,
  }),
  dry_run: parameter({
    description: 'Carries out the request, returns the result and rolls it back.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'true',
    rule: 'must be true or false',
    read: toFlag,
  }),
  progress: parameter({
    description:
      'Responds in lines of JSON: `{"done", "of"}` while the work goes on; the last line is `{"answer"}`, or `{"problem"}` if nothing was changed.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
    rule: 'must be true or false',
    read: toFlag,
  }),
  all_differences: parameter({
    description: 'With `progress=true`: each difference is a line of its own, `{"difference"}`, before the last line.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
    rule: 'must be true or false',
    read: toFlag,
  }),
  prune: parameter({
    description: 'Also removes items that are missing from the lists in the file.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
    rule: 'must be true or false',
    read: toFlag,
  }),
  status: parameter({
    description: 'Only facilities with this status.',
    schema: { type: 'string', pattern: wordPattern },
    example: 'active',
    rule: 'must be a lower-case word such as active',
    read: toWord,
  }),
  type: parameter({
    description: 'Only facilities of this type.',
    schema: { type: 'string', pattern: wordPattern },
    example: 'hospital',
    rule: 'must be a lower-case word such as hotel',
    read: toWord,
  }),
  sort: parameter({
    description: 'Sort order: a property of the items, with a leading `-` for descending.',
    schema: { type: 'string', pattern: '^-?[a-z_]{1,32}$' },
    example: '-date_updated',
    rule: 'must be a property by which the list can be sorted, such as name or -name',
    read: (text) => (/^-?[a-z_]{1,32}$/.test(text) ? text : undefined),
  }),
}

export type CmsParameter = keyof typeof parameters

export type CmsQuery = { [Name in CmsParameter]?: NonNullable<ReturnType<(typeof parameters)[Name]['read']>> }

/**
 * Parses the query parameters of a route. Throws if the URL has a parameter that is not in `known`, or has one twice.
 */
export function readCmsQuery(url: string, known: readonly CmsParameter[]): CmsQuery {
  const given = new URLSearchParams(queryOf(url))
  const names = known.map(nameOf)
  const query: Record<string, unknown> = {}
  for (const name of given.keys()) {
    const key = known[names.indexOf(name)]
    if (key === undefined) {
      const list = known.length === 0 ? 'This route takes none.' : `Known here: ${names.join(', ')}.`
      throw new Refusal('parameter_unknown', `A query parameter is not known. ${list}`, { known: names })
    }
    const { read, rule } = parameters[key]
    const [text = '', ...others] = given.getAll(name)
    const value = others.length === 0 ? read(text) : undefined
    if (value === undefined) throw new Refusal('parameter_invalid', `The query parameter "${name}" ${rule}.`)
    query[key] = value
  }
  return query
}

/** Returns the name of a parameter in the URL: its property `name` or, if it has none, its key in `parameters`. */
export function nameOf(key: CmsParameter): string {
  const { name = key }: { name?: string } = parameters[key]
  return name
}

const word = new RegExp(wordPattern)

function toFlag(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

function toWord(text: string): string | undefined {
  return word.test(text) ? text : undefined
}

/** Parses a sort order, `name` or `-name` for descending. The default is the first of `orders`. */
export function orderOf<T extends string>(sort: string | undefined, orders: readonly T[]) {
  const descending = sort?.startsWith('-') ?? false
  const name = descending ? sort?.slice(1) : sort
  const order = name === undefined ? orders[0] : orders.find((one) => one === name)
  if (order !== undefined) return { order, descending }
  throw new Refusal('parameter_invalid', `The query parameter "sort" must be one of ${orders.join(', ')}, or -name.`, {
    known: [...orders],
  })
}

function inRange(limit: number): number | undefined {
  return limit >= 1 && limit <= maxPageLength ? limit : undefined
}
