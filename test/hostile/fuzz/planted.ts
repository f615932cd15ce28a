import type { Planted } from '../../torture/harness.ts'
import { textMatched } from '../../torture/own-fields.ts'

const json = 'src/domain/json.ts'
const errors = 'src/http/pipeline/errors.ts'

export const planted: Planted[] = [
  {
    name: 'a refusal shows the environment',
    file: errors,
    find: 'detail: refusal.message,',
    replace: 'detail: refusal.message + JSON.stringify(process.env),',
  },
  {
    name: 'a key beside "value" is written',
    file: 'src/domain/room/legacy-body.ts',
    find: 'return parsed.value',
    replace: 'return parsed.name ?? parsed.value',
  },
  {
    name: 'U+0000 and lone surrogates are taken',
    file: json,
    find: "return text.isWellFormed() && !text.includes('\\0')",
    replace: 'return text !== undefined',
  },
  {
    name: 'a problem has no instance',
    file: errors,
    find: 'instance: `urn:atrium:',
    replace: 'instants: `urn:atrium:',
  },
  {
    name: 'keys that pollute prototypes are taken',
    file: json,
    find: "if (key === '__proto__' || (key === 'constructor' && holdsPrototype(member))) {",
    replace: "if (key === '' && holdsPrototype(member)) {",
  },
  {
    name: 'JSON of any depth is taken',
    file: json,
    find: 'if (++depth > maxDepth) return true',
    replace: 'if (++depth > maxDepth * 1000) return true',
  },
  {
    name: 'a body of any type is taken',
    file: 'src/http/pipeline/body.ts',
    find: '  if (!types.includes(essenceOf(type))) {',
    replace: '  if (!types.includes(types[0] as string)) {',
  },
  {
    name: 'a status that is not documented',
    file: errors,
    find: 'value_invalid: { status: 400, title: \'"value" is not valid\' },',
    replace: 'value_invalid: { status: 406, title: \'"value" is not valid\' },',
  },
  {
    name: 'a time that cannot be written is 500',
    file: 'src/domain/time.ts',
    find: 'return ms >= earliestMs && ms <= latestMs ? new Date(ms).toISOString() : undefined',
    replace: 'return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()',
  },
  {
    name: 'a cursor that is none ends the server',
    file: 'src/operations/page.ts',
    find: '} catch {}',
    replace: '} catch { process.exit(1) }',
  },
  textMatched,
  {
    name: 'a result of a call that changes many rooms has no status',
    file: 'src/http/partner/rooms/bulk.ts',
    find: 'return JSON.stringify({ status, problem: body })',
    replace: 'return JSON.stringify({ problem: body })',
  },
]
