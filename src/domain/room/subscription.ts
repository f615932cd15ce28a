import { hasExactNumbers, isObject, parseJson } from '../json.ts'
import { type Fault, refusalAt, refusalFor } from '../refusal.ts'
import { isLonger } from '../text.ts'
import { dateTimeForms, parseDateTime, type WindowEdge } from '../time.ts'
import { type Contract, contractFaults } from './contract.ts'
import { legacyValue } from './legacy-body.ts'
import type { Subscription } from './stored-room.ts'

/** A subscription that was parsed and checked but has no id yet. */
export type SubscriptionDraft = Omit<Subscription, 'id'>

/** Limits how large a room can be, because a room is always read as a whole. */
export interface RoomLimits {
  roomSubscriptions: number
  roomBytes: number
}

export interface SubscriptionLimits extends RoomLimits {
  jsonDepth: number
  postSubscriptions: number
  subscriptionBytes: number
}

export interface SubscriptionRules {
  timezone: string
  contract: Contract | null
  limits: SubscriptionLimits
}

/** Returns whether `at` is in the window: the start is inclusive, the end exclusive, and null means no limit. */
export function isActive({ start, end }: Pick<Subscription, 'start' | 'end'>, at: string): boolean {
  return (start === null || start <= at) && (end === null || end > at)
}

const outcome = 'Nothing was added.'

/** Parses subscriptions that an operator sends, to which no partner's contract (a JSON Schema) applies. */
export function parseSubscriptions(
  items: Record<string, unknown>[],
  rules: Omit<SubscriptionRules, 'contract'>,
): SubscriptionDraft[] {
  return draftAll(items, { ...rules, contract: null }, '/services')
}

/** Needs no database, so that it can run in a worker thread. */
export function draftSubscriptions(body: Uint8Array, rules: SubscriptionRules): SubscriptionDraft[] {
  return parseLegacySubscriptions(legacyValue(body, rules.limits.jsonDepth), rules)
}

/** `value` is a string that holds a JSON array of objects. */
export function parseLegacySubscriptions(value: unknown, rules: SubscriptionRules): SubscriptionDraft[] {
  if (typeof value !== 'string') {
    throw refusalAt(
      'value_not_string',
      '/value',
      '"value" must be a string that holds a JSON array, not the array itself.',
    )
  }
  const items = parseJson(value, { pointer: '/value', maxDepth: rules.limits.jsonDepth, malformed: 'value_not_json' })
  if (!Array.isArray(items))
    throw refusalAt('value_not_array', '/value', 'The string in "value" must hold a JSON array.')
  assertObjects(items, rules.limits, '/value')
  if (!hasExactNumbers(value)) {
    throw refusalAt('item_invalid', '/value', 'A number cannot be kept exactly: send it as a string.')
  }
  return draftAll(items, rules, '/value')
}

/** `at` is the JSON Pointer of the array in the request body. */
export function draftServices(items: unknown[], rules: SubscriptionRules, at: string): SubscriptionDraft[] {
  assertObjects(items, rules.limits, at)
  return draftAll(items, rules, at)
}

function assertObjects(
  items: unknown[],
  { postSubscriptions }: SubscriptionLimits,
  at: string,
): asserts items is Record<string, unknown>[] {
  if (items.length > postSubscriptions) {
    throw refusalAt('limit_exceeded', at, `At most ${postSubscriptions} subscriptions can be added at once.`)
  }
  const faults = items.flatMap((item, index) =>
    isObject(item) ? [] : [{ pointer: `${at}/${index}`, detail: 'Each item must be a JSON object.' }],
  )
  if (faults.length > 0) throw refusalFor('item_not_object', outcome, faults)
}

function draftAll(items: Record<string, unknown>[], rules: SubscriptionRules, at: string): SubscriptionDraft[] {
  const faults: Fault[] = []
  const drafts = items.map((item, index) => draftOne(item, `${at}/${index}`, rules, faults))
  if (faults.length > 0) throw refusalFor('item_invalid', outcome, faults)
  return drafts
}

/** Ignores the `id`. Adds what is wrong to `faults`. */
export function draftOne(
  sent: Record<string, unknown>,
  pointer: string,
  rules: SubscriptionRules,
  faults: Fault[],
): SubscriptionDraft {
  const { id: _dropped, ...item } = sent
  const faultsBefore = faults.length
  const { code, label = null, status: sentStatus, start = null, end = null, ...extra } = item
  const status = sentStatus ?? 'active'
  const fault = (field: string, detail: string) => faults.push({ pointer: `${pointer}${field}`, detail })
  const window = (edge: WindowEdge, given: unknown): string | null => {
    if (given === null) return null
    const instant = parseDateTime(given, edge, rules.timezone)
    if (instant === undefined) fault(`/${edge}`, `"${edge}" must be a date-time: ${dateTimeForms}.`)
    return instant ?? null
  }
  if (Buffer.byteLength(JSON.stringify(item)) > rules.limits.subscriptionBytes) {
    fault('', `A subscription must have at most ${rules.limits.subscriptionBytes} bytes.`)
  }
  if (typeof code !== 'string' || code.trim() === '' || isLonger(code, 64)) {
    fault('/code', '"code" is required: a string of 1 to 64 characters, not blank.')
  }
  if (label !== null && typeof label !== 'string') fault('/label', '"label" must be a string or null.')
  if (typeof status !== 'string') fault('/status', '"status" must be a string or null.')
  const from = window('start', start)
  const to = window('end', end)
  if (from !== null && to !== null && to <= from) fault('/end', '"end" must be after "start".')
  const sound = faults.length === faultsBefore
  if (sound && rules.contract !== null) faults.push(...contractFaults(rules.contract, item, pointer))
  return { code: code as string, label: label as string | null, status: status as string, start: from, end: to, extra }
}
