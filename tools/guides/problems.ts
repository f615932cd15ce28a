import type { RefusalCode } from '../../src/domain/refusal.ts'
import { partnerCodes } from '../../src/http/openapi/refusals.ts'
import { table } from '../../src/http/openapi/table.ts'
import { meanings, publicCode } from '../../src/http/pipeline/errors.ts'
import { help } from '../../src/http/site/problem-help.ts'
import { statusesOf } from '../../src/http/site/problem-pages.ts'

/** Problems that only operators see, not partners. */
const notOfPartners: RefusalCode[] = ['not_ready', 'metrics_not_allowed']

/** Returns the problems of the partner API by status. */
export function problemsTable(): string {
  const codes = partnerCodes.filter((code) => !notOfPartners.includes(code) && publicCode(code) === code)
  const rows = codes
    .toSorted((a, b) => meanings[a].status - meanings[b].status)
    .map((code) => [statusesOf(code).join(', '), `\`${code}\``, helpOf(code)])
  return table(['status', 'code', 'what happened, and what to do'], rows)
}

/** Formats names in angle brackets and of properties as code, because Markdown would read some as HTML. */
function helpOf(code: RefusalCode): string {
  return (help[code as keyof typeof help] ?? '')
    .replace(/"([^"]*[<_{][^"]*)"/g, '`$1`')
    .replace(/(?<![`\w/])__proto__/g, '`__proto__`')
}
