import type { WireAnswer } from '../../torture/wire.ts'
import type { Expected } from './oracle.ts'
import { canaries } from './world.ts'

const patterns: Record<string, RegExp> = {
  '<date>': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  '<uuid>': /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  '<cursor>': /^[\w-]{22}$/,
  '<text>': /./s,
}

/** Compares members and values exactly, except for those that only the service can know. */
function fits(expected: unknown, found: unknown): boolean {
  if (typeof expected === 'string' && patterns[expected]) return patterns[expected].test(String(found))
  if (typeof expected !== 'object' || expected === null) return expected === found
  if (typeof found !== 'object' || found === null || Array.isArray(expected) !== Array.isArray(found)) return false
  const keys = Object.keys(expected)
  if (keys.length !== Object.keys(found).length) return false
  const members = found as Record<string, unknown>
  return keys.every((key) => Object.hasOwn(members, key) && fits((expected as typeof members)[key], members[key]))
}

const problemKeys = ['code', 'detail', 'instance', 'request_id', 'status', 'title', 'type']
const mayFollow = ['errors', 'known', 'required']

function isProblem(expected: Expected, found: Record<string, unknown>): boolean {
  const keys = Object.keys(found)
    .filter((key) => !mayFollow.includes(key))
    .sort()
  const isRight = found.code === expected.code && found.status === expected.status
  return isRight && fits(problemKeys, keys) && fits(expected.required ?? null, found.required ?? null)
}

/** Returns what is wrong with a response, undefined when it is as expected and leaks nothing. It may echo `sent`. */
export function fault(expected: Expected, answer: WireAnswer | undefined, sent: string): string | undefined {
  if (answer === undefined) return 'no response'
  if (answer.status !== expected.status) return `${answer.status} instead of ${expected.status}`
  const known = `${JSON.stringify(expected)}${sent}`
  const leaked = `${answer.head}\n${answer.body}`.match(canaries)?.find((word) => !known.includes(word))
  if (leaked !== undefined) return `the response shows ${leaked}`
  if (answer.status === 304) return answer.body === '' ? undefined : 'a body with 304'
  const body = JSON.parse(answer.body)
  const isRight = expected.status === 200 ? fits(expected.body, body) : isProblem(expected, body)
  return isRight ? undefined : `another body than expected`
}
