import { readConfig } from '../../src/config.ts'
import { formatRateLimit } from '../../src/domain/access/rate-limit.ts'
import { table } from './table.ts'

const number = (value: number) => value.toLocaleString('en-US')

/** Returns the limits of an installation with default settings. */
export function limitsTable(): string {
  const { limits, rateLimit, wrongTokenLimit } = readConfig({})
  const rows = [
    ['requests, per token and node', formatRateLimit(rateLimit), '`429`'],
    ['wrong tokens, per address and node', formatRateLimit(wrongTokenLimit), '`429`; a right token is still accepted'],
    ['body', `${number(limits.bodyBytes)} bytes`, '`413`'],
    ['path and headers', `${number(limits.headerBytes)} bytes`, '`431`'],
    ['nesting of JSON', `${limits.jsonDepth} levels`, '`400`'],
    ['entries of the autocomplete list', number(limits.listEntries), '`400`'],
    ['services in one POST', number(limits.postSubscriptions), '`400`'],
    ['services in one room', `${number(limits.roomSubscriptions)}, ${number(limits.roomBytes)} bytes`, '`400`'],
    [
      'rooms in one call on many, each counted for each of its operations',
      `${number(limits.bulkBytes)} bytes`,
      '`400`',
    ],
    ['one service', `${number(limits.subscriptionBytes)} bytes`, '`400`'],
  ]
  return table(['what', 'limit', 'beyond it'], rows)
}
