import { parseExactly, stringsIn } from './exact-json.ts'
import { refusalAt } from './refusal.ts'

/** Names the origin of a JSON text in a refusal: the request body, or the string in that body's key `value`. */
interface JsonSource {
  pointer: '' | '/value'
  maxDepth: number
  malformed: 'body_not_json' | 'value_not_json'
}

/** Checks the depth first: parsing a megabyte of brackets takes seconds, and deep values break JSON.stringify. */
export function parseJson(text: string, source: JsonSource): unknown {
  if (nestsDeeper(text, source.maxDepth)) {
    throw refusalAt('body_too_deep', source.pointer, `The JSON is nested deeper than ${source.maxDepth} levels.`)
  }
  let value: unknown
  try {
    value = parseExactly(text)
  } catch {
    throw refusalAt(source.malformed, source.pointer, 'This is not valid JSON.')
  }
  const found = mayHoldForbidden(text) ? findForbidden(value) : undefined
  if (found !== undefined) throw refusalAt(found.code, source.pointer + pointerOf(found.path), found.detail)
  return value
}

const quote = 0x22
const backslash = 0x5c

export function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      at = endOfString(text, at + 1)
    } else if (isOpening(unit)) {
      if (++depth > maxDepth) return true
    } else if (isClosing(unit)) depth--
  }
  return false
}

function isOpening(unit: number): boolean {
  return unit === 0x5b || unit === 0x7b
}

function isClosing(unit: number): boolean {
  return unit === 0x5d || unit === 0x7d
}

function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

/** Returns false if a text certainly has nothing forbidden, so that `findForbidden` need not search its value. */
function mayHoldForbidden(text: string): boolean {
  return !text.isWellFormed() || ['\\u', '__proto__', 'constructor'].some((part) => text.includes(part))
}

interface Forbidden {
  code: 'key_forbidden' | 'text_forbidden'
  detail: string
  /** The path, innermost part first. It is built only once something was found, and so costs valid values nothing. */
  path: (string | number)[]
}

/** Finds text that the engines store differently (U+0000, lone surrogates), and keys that pollute prototypes. */
function findForbidden(value: unknown): Forbidden | undefined {
  if (typeof value === 'string') return isSound(value) ? undefined : forbiddenText()
  if (typeof value !== 'object' || value === null) return undefined
  return Array.isArray(value) ? findInArray(value) : findInObject(value)
}

function findInArray(items: unknown[]): Forbidden | undefined {
  for (let index = 0; index < items.length; index++) {
    const found = findForbidden(items[index])
    if (found !== undefined) return { ...found, path: [...found.path, index] }
  }
  return undefined
}

function findInObject(object: object): Forbidden | undefined {
  for (const key of Object.keys(object)) {
    if (!isSound(key)) return forbiddenText()
    const member = (object as Record<string, unknown>)[key]
    if (key === '__proto__' || (key === 'constructor' && holdsPrototype(member))) {
      return { code: 'key_forbidden', detail: `The key "${key}" is not accepted here.`, path: [key] }
    }
    const found = findForbidden(member)
    if (found !== undefined) return { ...found, path: [...found.path, key] }
  }
  return undefined
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

function isSound(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function forbiddenText(): Forbidden {
  return { code: 'text_forbidden', detail: 'U+0000 and lone surrogates are not accepted in text.', path: [] }
}

function pointerOf(path: (string | number)[]): string {
  return path.toReversed().map(pointerTo).join('')
}

/** Returns a JSON Pointer. Keys come from clients and may be long, so they are cut to 100 characters. */
export function pointerTo(part: string | number): string {
  return `/${String(part).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

const mayBeInexact = /\d[eE][-+\d]|\d[.\d]{15}/

const numbers = /-?\d[-+.\deE]*/g

/** Returns whether every number of a valid JSON text keeps its digits as a double. */
export function hasExactNumbers(text: string): boolean {
  if (!mayBeInexact.test(text)) return true
  const pieces: string[] = []
  let done = 0
  for (const { from, to } of stringsIn(text)) {
    pieces.push(text.slice(done, from))
    done = to
  }
  const found = [...pieces, text.slice(done)].join(' ').match(numbers) ?? []
  return found.every((number) => digitsOf(String(Number(number))) === digitsOf(number))
}

/** Returns the significant digits of a number, which are the same in all its notations, such as `1.50` and `15e-1`. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
