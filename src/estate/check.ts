import { isObject } from '../domain/json.ts'
import type { Path } from './parse.ts'

export type Report = (path: Path, message: string) => void

/** Validates a parsed value and converts it to the type used in code. After a fault, the result must not be used. */
export type Check<T = unknown> = (value: unknown, path: Path, report: Report) => T

export interface Shape {
  /** Maps each key of the estate file to the name of its field in code and to the check of its value. */
  keys: Record<string, { as: string; check: Check }>
  required: string[]
}

/** Returns the check of an object, which may have known keys only. Absent optional keys stay absent. */
export function objectOf<T>({ keys, required }: Shape): Check<T> {
  return (value, path, report) => {
    const found: Record<string, unknown> = {}
    if (!isObject(value)) {
      report(path, `must be a map with the keys ${Object.keys(keys).join(', ')}`)
      return found as T
    }
    for (const key of Object.keys(value)) {
      const known = Object.hasOwn(keys, key) ? keys[key] : undefined
      if (known === undefined) report([...path, key], `is not a known key; known are ${Object.keys(keys).join(', ')}`)
      else found[known.as] = known.check(value[key], [...path, key], report)
    }
    for (const key of required) if (!Object.hasOwn(value, key)) report(path, `needs the key "${key}"`)
    return found as T
  }
}

export function listOf<T>(check: Check<T>, maxEntries = Infinity): Check<T[]> {
  return (value, path, report) => {
    if (!Array.isArray(value)) {
      report(path, 'must be a list; write [] for an empty one')
      return []
    }
    if (value.length > maxEntries) report(path, `can hold at most ${maxEntries} items; this has ${value.length}`)
    return value.map((item, index) => check(item, [...path, index], report))
  }
}

/** Returns the check of a list whose items must have different ids. */
export function listById<T extends { id: string }>(check: Check<T>, maxEntries = Infinity): Check<T[]> {
  const all = listOf(check, maxEntries)
  return (value, path, report) => {
    const items = all(value, path, report)
    const seen = new Set<unknown>()
    items.forEach(({ id }, index) => {
      if (id !== undefined && seen.has(id)) report([...path, index, 'id'], `"${id}" is repeated`)
      seen.add(id)
    })
    return items
  }
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, path, report) => (value === null ? null : check(value, path, report))
}

/** `fault` returns what is wrong with the text, or undefined. */
export function text(fault: (value: string) => string | undefined = () => undefined): Check<string> {
  return (value, path, report) => {
    if (typeof value !== 'string') report(path, notText(value))
    else {
      const found = textFault(value) ?? fault(value)
      if (found !== undefined) report(path, found)
    }
    return value as string
  }
}

function notText(value: unknown): string {
  const scalar = typeof value === 'number' || typeof value === 'boolean'
  return scalar ? `must be text: write it in quotes, "${value}"` : 'must be text'
}

export function textFault(value: string): string | undefined {
  return value.isWellFormed() && !value.includes('\0') ? undefined : 'must not contain U+0000 or half a surrogate pair'
}

export const booleanValue: Check<boolean> = (value, path, report) => {
  if (typeof value !== 'boolean') report(path, 'must be true or false')
  return value as boolean
}

/** Reports text that SQLite and PostgreSQL store differently, and keys such as `__proto__` (prototype pollution). */
export function jsonData(maxDepth: number): Check {
  const walk = (value: unknown, path: Path, report: Report, depth: number): void => {
    if (typeof value === 'string') return reportIfAny(textFault(value), path, report)
    if (typeof value === 'number') return reportIfAny(numberFault(value), path, report)
    if (typeof value !== 'object' || value === null) return
    if (depth > maxDepth) return report(path, `is nested deeper than ${maxDepth} levels`)
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) walk(value[index], [...path, index], report, depth + 1)
      return
    }
    for (const [key, member] of Object.entries(value)) {
      reportIfAny(textFault(key) ?? keyFault(key, member), [...path, key], report)
      walk(member, [...path, key], report, depth + 1)
    }
  }
  return (value, path, report) => {
    walk(value, path, report, 1)
    return value
  }
}

function reportIfAny(fault: string | undefined, path: Path, report: Report): void {
  if (fault !== undefined) report(path, fault)
}

function keyFault(key: string, member: unknown): string | undefined {
  const refused =
    key === '__proto__' || (key === 'constructor' && isObject(member) && Object.hasOwn(member, 'prototype'))
  return refused ? 'is a key that is not accepted' : undefined
}

/**
 * Reports integers that a double cannot hold exactly, but not from 1e21 on: JavaScript writes them with an exponent, so
 * their last digits are not expected to be exact.
 */
function numberFault(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'must be a number that JSON can hold'
  const inexact = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21
  return inexact ? 'is too large to be kept exactly: write it as text, in quotes' : undefined
}
