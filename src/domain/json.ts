import { refusalAt } from './refusal.ts'

/** Where a text came from decides the pointer of its faults: the body itself, or the string inside `value`. */
export interface JsonSource {
  pointer: '' | '/value'
  maxDepth: number
  malformed: 'body_not_json' | 'value_not_json'
}

/**
 * JSON.parse for text from outside. Depth is counted before parsing, because a megabyte of brackets takes seconds to
 * parse and what parses too deep cannot be written again.
 */
export function parseJson(text: string, source: JsonSource): unknown {
  if (nestsDeeper(text, source.maxDepth)) {
    throw refusalAt('body_too_deep', source.pointer, `The JSON is nested deeper than ${source.maxDepth} levels.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refusalAt(source.malformed, source.pointer, 'This is not valid JSON.')
  }
  inspect(value, source.pointer)
  return value
}

const quote = 0x22
const backslash = 0x5c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      at = endOfString(text, at + 1)
    } else if (opening.has(unit)) {
      if (++depth > maxDepth) return true
    } else if (closing.has(unit)) depth--
  }
  return false
}

function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

/** Refuses what the engines store differently (U+0000, lone surrogates) and what pollutes prototypes. */
function inspect(value: unknown, pointer: string): void {
  if (typeof value === 'string') return inspectText(value, pointer)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) inspect(value[index], `${pointer}/${index}`)
    return
  }
  for (const [key, member] of Object.entries(value)) {
    inspectText(key, pointer)
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (key === '__proto__' || (key === 'constructor' && holdsPrototype(member))) {
      throw refusalAt('key_forbidden', place, `The key "${key}" is not accepted here.`)
    }
    inspect(member, place)
  }
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

function inspectText(text: string, pointer: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  throw refusalAt('text_forbidden', pointer.toWellFormed(), 'U+0000 and lone surrogates are not accepted in text.')
}

/** Whether every number in the text comes out of JavaScript as the number that went in. */
export function keepsItsNumbers(text: string): boolean {
  let kept = true
  JSON.parse(text, (_key, value, context?: { source?: string }) => {
    if (typeof value !== 'number') return value
    const whole = /^-?\d+$/.test(context?.source ?? '')
    if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) kept = false
    return value
  })
  return kept
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
