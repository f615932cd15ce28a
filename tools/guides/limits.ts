import { formatRateLimit } from '../../src/domain/access/rate-limit.ts'
import { defaults, limitRows } from '../../src/http/openapi/limits.ts'
import { table } from '../../src/http/openapi/table.ts'

/** Returns the limits of an installation with default settings. */
export function limitsTable(): string {
  const { rateLimit, wrongTokenLimit } = defaults
  return table(
    ['what', 'limit', 'beyond it'],
    [
      ['requests, per token and node', formatRateLimit(rateLimit), '`429`'],
      [
        'wrong tokens, per address and node',
        formatRateLimit(wrongTokenLimit),
        '`429`; a right token is still accepted',
      ],
      ...limitRows('service').map(([what, limit, status]) => [what, limit, `\`${status}\``]),
    ],
  )
}
