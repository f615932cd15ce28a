import assert from 'node:assert/strict'

/** A value that the service generates. The model knows where it occurs, and learns it from the first response. */
export interface Unknown {
  readonly unknown: number
  readonly kind: 'uuid' | 'date'
}

let made = 0

export function unknown(kind: Unknown['kind']): Unknown {
  return { unknown: ++made, kind }
}

/** Matches any text, such as a message for people. */
export const anyText = { anyText: true }

/** Matches the problem of a refusal. */
export interface AnyProblem {
  refused: { status: number; code: string; required?: Record<string, string> }
}

export interface Learnt {
  values: Map<number, string>
  ids: Set<string>
}

const forms = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
}

/** Compares deeply: equal keys, lists in the same order, and generated values equal to those learned before. */
export function match(learnt: Learnt, expected: unknown, actual: unknown, place = ''): void {
  if (expected === anyText) return assert.equal(typeof actual, 'string', place)
  if (isUnknown(expected)) return learn(learnt, expected, actual, place)
  if (isProblem(expected)) return matchProblem(expected, actual, place)
  if (typeof expected !== 'object' || expected === null) return assert.deepEqual(actual, expected, place)
  assert.ok(typeof actual === 'object' && actual !== null, `${place} is ${JSON.stringify(actual)}`)
  assert.deepEqual(
    Object.keys(actual).sort(),
    Object.keys(expected).sort(),
    `the members of ${place || 'the response'}`,
  )
  for (const [key, member] of Object.entries(expected)) {
    match(learnt, member, (actual as Record<string, unknown>)[key], `${place}/${key}`)
  }
}

export function isUnknown(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && 'unknown' in value
}

function isProblem(value: unknown): value is AnyProblem {
  return typeof value === 'object' && value !== null && 'refused' in value
}

function matchProblem({ refused }: AnyProblem, actual: unknown, place: string): void {
  const { type, status, code, required, title, detail } = (actual ?? {}) as Record<string, unknown>
  const { status: expectedStatus, code: expectedCode } = refused
  const named = [`/problems/${expectedCode}`, expectedStatus, expectedCode, refused.required]
  assert.deepEqual([type, status, code, required], named, place)
  assert.ok(title && detail, `${place} has no title or detail`)
}

function learn({ values, ids }: Learnt, { unknown, kind }: Unknown, actual: unknown, place: string): void {
  const known = values.get(unknown)
  if (known !== undefined) return assert.equal(actual, known, `${place} is not what it was`)
  assert.ok(typeof actual === 'string' && forms[kind].test(actual), `${place} is ${JSON.stringify(actual)}`)
  if (kind === 'uuid') assert.ok(!ids.has(actual), `${place}: ${actual} was something else before`)
  else assert.ok(Math.abs(Date.parse(actual) - Date.now()) < 600_000, `${place} is ${actual}`)
  ids.add(actual)
  values.set(unknown, actual)
}
