import { createContext, Script } from 'node:vm'
import { parseExactly } from '../exact-json.ts'
import { isObject } from '../json.ts'
import type { Contract } from './contract.ts'
import { slowTexts } from './pattern-samples.ts'

type Path = readonly (string | number)[]

export interface SlowPattern {
  path: Path
  detail: string
}

interface Pattern {
  path: Path
  pattern: string
  maxLength: number
}

/**
 * The length of test texts in characters. At this length, regular expressions with cubic or worse run time exceed
 * `firstTryMs` and `secondTryMs`; expressions that are merely slow do not.
 */
const textLength = 2048
const allTextsMs = 100
const firstTryMs = 100
/** The limit of a second test. An expression must exceed both limits, since on a busy machine any can be slow once. */
const secondTryMs = 500
/**
 * The limit for all regular expressions of a contract (a JSON Schema). Those that remain untested cannot block the
 * service, because validating a request with a contract has a time limit of its own.
 */
const contractMs = 1000

/** The expressions that passed, as `length pattern` (the length of the texts): partners can share a contract. */
const knownFast = new Set<string>()
const maxKnownFast = 1000

/** Returns the first regular expression in a contract (a JSON Schema) that is far too slow on some text. */
export function slowPattern(contract: Contract): SlowPattern | undefined {
  const endMs = performance.now() + contractMs
  for (const { path, pattern, maxLength } of patternsIn(parseExactly(contract), [])) {
    if (performance.now() >= endMs) break
    const length = Math.min(maxLength, textLength)
    const key = `${length} ${pattern}`
    if (knownFast.has(key)) continue
    const slow = slowText(pattern, slowTexts(pattern, length), endMs)
    if (slow === undefined) {
      if (knownFast.size >= maxKnownFast) knownFast.clear()
      knownFast.add(key)
      continue
    }
    const advice = 'Avoid repetitions within repetitions, such as (a+)+, or set "maxLength" beside the pattern.'
    const detail = `is too slow: some texts of ${slow.length} characters take more than ${secondTryMs / 1000} seconds. ${advice}`
    return { path, detail }
  }
  return undefined
}

function slowText(pattern: string, texts: string[], endMs: number): string | undefined {
  if (finishesWithin(allTextsMs, pattern, texts)) return undefined
  const isSlow = (text: string) =>
    !finishesWithin(firstTryMs, pattern, [text]) && !finishesWithin(secondTryMs, pattern, [text])
  return texts.find((text) => performance.now() < endMs && isSlow(text))
}

/** JSON Schema keywords whose values map arbitrary names to schemas. */
const byName = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** JSON Schema keywords whose values are data, not schemas: a key `pattern` in them is not a regular expression. */
const data = new Set(['const', 'enum', 'default', 'examples'])

function* patternsIn(schema: unknown, path: Path): Generator<Pattern> {
  if (Array.isArray(schema)) {
    for (const [index, one] of schema.entries()) yield* patternsIn(one, [...path, index])
  }
  if (!isObject(schema)) return
  const { pattern, patternProperties, maxLength } = schema
  if (typeof pattern === 'string' && isValid(pattern)) {
    yield { path: [...path, 'pattern'], pattern, maxLength: typeof maxLength === 'number' ? maxLength : Infinity }
  }
  for (const name of isObject(patternProperties) ? Object.keys(patternProperties) : []) {
    yield { path: [...path, 'patternProperties', name], pattern: name, maxLength: Infinity }
  }
  for (const [key, value] of Object.entries(schema)) {
    if (byName.has(key) && isObject(value)) {
      for (const [name, one] of Object.entries(value)) yield* patternsIn(one, [...path, key, name])
    } else if (!data.has(key)) yield* patternsIn(value, [...path, key])
  }
}

/** Invalid expressions are skipped: the schema compiler refuses them, unless it does not know their keyword. */
function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const script = new Script('for (const text of texts) new RegExp(pattern, "u").test(text)')
let context: ReturnType<typeof createContext> | undefined

/** Uses `node:vm`, since nothing else can interrupt a match. `timeout` is in ms, for all texts. */
function finishesWithin(timeout: number, pattern: string, texts: string[]): boolean {
  context ??= createContext()
  try {
    script.runInContext(Object.assign(context, { pattern, texts }), { timeout })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return false
  }
}
