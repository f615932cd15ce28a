import { isObject } from '../json.ts'
import { type Fault, type Refusal, refusalFor } from '../refusal.ts'
import { eventTypes } from '../room/event.ts'
import { parseDateTime } from '../time.ts'
import type { Webhook } from './webhook.ts'

export type WebhookSettings = Pick<Webhook, 'url' | 'types' | 'own'> & { active: boolean }

export type NewWebhook = Pick<WebhookSettings, 'url' | 'types'> & Partial<WebhookSettings>

const maxUrlLength = 2048
export const maxWebhooks = 10

export function parseNewWebhook(value: unknown): NewWebhook {
  return settingsIn(value, ['url', 'types']) as NewWebhook
}

export function parseWebhookChange(value: unknown): Partial<WebhookSettings> {
  return settingsIn(value, [])
}

/** Throws a refusal that lists all faults. */
function settingsIn(value: unknown, required: ('url' | 'types')[]): Partial<WebhookSettings> {
  const members = membersOf(value)
  const faults: Fault[] = []
  for (const name of required)
    if (members[name] === undefined) faults.push({ pointer: `/${name}`, detail: 'is missing' })
  const settings: Partial<WebhookSettings> = {}
  for (const [name, given] of Object.entries(members)) {
    const fault = faultIn(name, given)
    if (fault !== undefined) faults.push({ pointer: `/${name.slice(0, 100)}`, detail: fault })
    else Object.assign(settings, { [name]: given })
  }
  if (faults.length > 0) throw bodyRefused(faults)
  return settings
}

function faultIn(name: string, given: unknown): string | undefined {
  if (name === 'url') return urlFault(given)
  if (name === 'types') return typesFault(given)
  if (name !== 'own' && name !== 'active') return 'is not known: url, types, own and active are'
  return typeof given === 'boolean' ? undefined : 'must be true or false'
}

function urlFault(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > maxUrlLength)
    return `must be text of at most ${maxUrlLength} characters`
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'must be an address such as https://receiver.example/atrium'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  return url.hash === '' ? undefined : 'must not have a part behind "#"'
}

function typesFault(given: unknown): string | undefined {
  const known: readonly string[] = eventTypes
  const usable =
    given === '*' || (Array.isArray(given) && given.length > 0 && given.every((type) => known.includes(type)))
  return usable ? undefined : `must be "*" or a list out of ${known.join(', ')}`
}

function membersOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value
  throw bodyRefused([{ pointer: '', detail: 'must be a JSON object' }])
}

export function bodyRefused(faults: Fault[]): Refusal {
  return refusalFor('body_invalid', 'Nothing was changed.', faults)
}

function assertKnownKeys(members: Record<string, unknown>, known: string[]): void {
  const unknown = Object.keys(members).filter((name) => !known.includes(name))
  const detail = `is not known: ${known.join(', ')} can be given`
  if (unknown.length > 0) throw bodyRefused(unknown.map((name) => ({ pointer: `/${name.slice(0, 100)}`, detail })))
}

const daySeconds = 86_400
const maxGraceSeconds = 7 * daySeconds

/** Returns for how many seconds the old secret stays valid. */
export function parseRotation(value: unknown): number {
  const members = membersOf(value)
  assertKnownKeys(members, ['grace_seconds'])
  const { grace_seconds: grace = daySeconds } = members
  if (Number.isInteger(grace) && (grace as number) >= 0 && (grace as number) <= maxGraceSeconds) return grace as number
  const detail = `must be a whole number of seconds from 0 to ${maxGraceSeconds}`
  throw bodyRefused([{ pointer: '/grace_seconds', detail }])
}

/** `from_event` and `to_event` are both included; without `to_event`, all later events follow. */
export type EventReplay = { event: string } | { from_event: string; to_event: string | undefined }

export interface TimeReplay {
  from: string
  to: string | undefined
}

export type ReplayRequest = EventReplay | TimeReplay

export function parseReplay(value: unknown): ReplayRequest {
  const members = membersOf(value)
  assertKnownKeys(members, ['event', 'from_event', 'to_event', 'from', 'to'])
  const given = Object.keys(members).sort().join()
  const { event, from_event: fromEvent, to_event: toEvent, from, to } = members
  if (given === 'event' && typeof event === 'string') return { event }
  if (
    /^from_event(?:,to_event)?$/.test(given) &&
    typeof fromEvent === 'string' &&
    typeof (toEvent ?? '') === 'string'
  ) {
    return { from_event: fromEvent, to_event: toEvent as string | undefined }
  }
  if (/^from(?:,to)?$/.test(given)) {
    return { from: timeIn('from', from), to: to === undefined ? undefined : timeIn('to', to) }
  }
  const detail =
    'must have the id of an event in "event", ids in "from_event" and "to_event", or times in "from" and "to"'
  throw bodyRefused([{ pointer: '', detail }])
}

function timeIn(name: string, given: unknown): string {
  const time = parseDateTime(given, 'start', 'UTC')
  if (time !== undefined) return time
  throw bodyRefused([{ pointer: `/${name}`, detail: 'must be a date-time such as 2026-11-15T08:30:00Z' }])
}
