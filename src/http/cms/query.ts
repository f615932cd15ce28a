import { wordPattern } from '../../domain/facility.ts'
import { Refusal } from '../../domain/refusal.ts'
import { flag as anyFlag, parameter, type ValuesOf } from '../pipeline/query.ts'
import { logParameters } from './logs/log-parameters.ts'

export const pageLength = 100
const maxPageLength = 1000
const maxIds = 200

const flag = (description: string, example: 'true' | 'false') =>
  anyFlag(description, example, { type: 'string', enum: ['true', 'false'] })

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
  open: flag('Only rooms that are open, or only those that are closed.', 'true'),
  dry_run: flag('Carries out the request, returns the result and rolls it back.', 'true'),
  progress: flag(
    'Responds in lines of JSON: `{"done", "of"}` while the work goes on; the last line is `{"answer"}`, or `{"problem"}` if nothing was changed.',
    'false',
  ),
  all_differences: flag(
    'With `progress=true`: each difference is a line of its own, `{"difference"}`, before the last line.',
    'false',
  ),
  prune: flag('Also removes items that are missing from the lists in the file.', 'false'),
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

export type CmsQuery = ValuesOf<typeof parameters>

const word = new RegExp(wordPattern)

function toWord(text: string): string | undefined {
  return word.test(text) ? text : undefined
}

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
