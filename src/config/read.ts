import { getSetting, type Range } from './settings.ts'

/** Thrown for an invalid setting. The message names the setting and its valid values. */
export class ConfigError extends Error {}

export type Env = Record<string, string | undefined>

export function readValue(env: Env, name: string): string {
  return env[name] || getSetting(name).default
}

export function readInteger(env: Env, name: string): number {
  const text = readValue(env, name)
  const [min, max] = getSetting(name).range as Range
  const value = /^\d+$/.test(text) ? Number(text) : NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

export function readChoice(env: Env, name: string, allowed: string[], fallback = getSetting(name).default): string {
  const text = env[name] || fallback
  if (allowed.includes(text)) return text
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}"`)
}

export function readList(env: Env, name: string, isValid: (item: string) => boolean, form: string): string[] {
  const items = (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  const bad = items.find((item) => !isValid(item))
  if (bad === undefined) return items
  throw new ConfigError(`${name} takes ${form}, separated by commas; "${bad}" is not one`)
}
