import { wordPattern } from '../../domain/facility.ts'
import { Refusal } from '../../domain/refusal.ts'
import { queryOf } from '../pipeline/query.ts'
import { logParameters } from './logs/log-parameters.ts'
import { parameter } from './parameter.ts'

export const pageLength = 100
const pageLengthAtMost = 1000
const idsAtMost = 200

/** All the parameters of `/cms/v1`; each route takes some of them. */
export const parameters = {
  ...logParameters,
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
  ids: parameter({
    description: `Only those with these ids, separated by commas; at most ${idsAtMost}. Ids that are not there are left out.`,
    schema: { type: 'string', minLength: 1 },
    example: 'lyon-01,nice-02',
    rule: `must be 1 to ${idsAtMost} ids, separated by commas`,
    read: (text) => {
      const ids = text.split(',').map((id) => id.trim())
      return ids.length <= idsAtMost && ids.every((id) => id !== '' && !id.includes('\0')) ? ids : undefined
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
    description: 'Does all the work, says what would happen, and takes it back.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'true',
    rule: 'must be true or false',
    read: toFlag,
  }),
  progress: parameter({
    description:
      'Answers in lines of JSON: how far it is, `{"done", "of"}`, as it goes on; the last line is `{"answer"}`, or `{"problem"}` with nothing changed.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
    rule: 'must be true or false',
    read: toFlag,
  }),
  prune: parameter({
    description: 'Also removes what the file does not name, in the lists that it has.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
    rule: 'must be true or false',
    read: toFlag,
  }),
  status: parameter({
    description: 'Only those with this status.',
    schema: { type: 'string', pattern: wordPattern },
    example: 'active',
    rule: 'must be a lower-case word such as active',
    read: toWord,
  }),
  type: parameter({
    description: 'Only those of this type.',
    schema: { type: 'string', pattern: wordPattern },
    example: 'hospital',
    rule: 'must be a lower-case word such as hotel',
    read: toWord,
  }),
  sort: parameter({
    description: 'The order of the list: a member of its items, with `-` before it for the other way round.',
    schema: { type: 'string', pattern: '^-?[a-z_]{1,32}$' },
    example: '-date_updated',
    rule: 'must be a member of the items that the list can be ordered by, such as name or -name',
    read: (text) => (/^-?[a-z_]{1,32}$/.test(text) ? text : undefined),
  }),
}

export type CmsParameter = keyof typeof parameters

export type CmsQuery = { [Name in CmsParameter]?: NonNullable<ReturnType<(typeof parameters)[Name]['read']>> }

/** Reads the parameters that a route knows and refuses every other, repeats included. */
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

/** As it is written in the query. */
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

/** `name` or `-name`, one of those that the list can be ordered by; the first of them without it. */
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
  return limit >= 1 && limit <= pageLengthAtMost ? limit : undefined
}
