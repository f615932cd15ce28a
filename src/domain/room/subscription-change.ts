import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { parseExactly } from '../exact-json.ts'
import { isObject } from '../json.ts'
import { type Fault, Refusal, refusalFor } from '../refusal.ts'
import { parseSubscription, type Subscription, subscriptionJson } from './stored-room.ts'
import { draftOne, type SubscriptionDraft, type SubscriptionRules } from './subscription.ts'

export type ChangeRules = Omit<SubscriptionRules, 'contract'>

/** A subscription that a room is to have after the request; `id` is null for a new one. */
export interface WantedSubscription {
  id: string | null
  draft: SubscriptionDraft
  /** What the partner sent, without the id. The partner's contract (a JSON Schema) applies to it. */
  sent: Record<string, unknown>
}

export interface SubscriptionChange {
  subscription: Subscription
  /** The names of the changed fields; empty when nothing changes. */
  keys: string[]
  /** The forms in which the partner could have sent the change; the contract must accept one of them. */
  forms: object[]
}

const nothingChanged = 'Nothing was changed.'

/** Applies a JSON Merge Patch (RFC 7396) to a subscription and checks the resulting subscription as a whole. */
export function patchSubscription(
  before: Subscription,
  patch: Record<string, unknown>,
  rules: ChangeRules,
): SubscriptionChange {
  const { id, extra, ...common } = before
  const merged = mergePatch({ ...common, ...extra }, patch) as Record<string, unknown>
  const faults: Fault[] = []
  for (const key of ['id', 'code'] as const) {
    if (Object.hasOwn(patch, key) && patch[key] !== before[key]) faults.push(unchangeable(`/${key}`))
  }
  const draft = draftOne({ ...merged, code: before.code }, '', { ...rules, contract: null }, faults)
  const change = changeTo(before, draft, merged, patch)
  if (change.keys.length > 0 || faults.some(({ pointer }) => pointer !== '')) assertFaultless(faults)
  return change
}

/** `draft` is the parsed form of the new subscription, `pointer` where it is in the request body. */
export function replaceSubscription(
  before: Subscription,
  { draft, sent }: WantedSubscription,
  pointer: string,
): SubscriptionChange {
  if (draft.code !== before.code) assertFaultless([unchangeable(`${pointer}/code`)])
  // An unchanged status may be the default, which Atrium added and the partner only sends back. So it counts as not
  // sent, and the contract need not allow it.
  return changeTo(before, draft, sent, draft.status === before.status ? {} : sent)
}

function changeTo(
  before: Subscription,
  draft: SubscriptionDraft,
  item: Record<string, unknown>,
  sent: Record<string, unknown>,
): SubscriptionChange {
  const subscription = { ...draft, id: before.id }
  return { subscription, keys: changedKeys(before, subscription), forms: contractForms(item, sent) }
}

/** Compares stored values: another order of keys, or another notation of the same time, is no difference. */
export function changedKeys(before: Subscription, after: Subscription): string[] {
  const [old, now] = [before, after].map((one) => parseExactly(subscriptionJson(one)) as Record<string, unknown>)
  const keys = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
  return keys.filter((key) => !isDeepStrictEqual(memberOf(old, key), memberOf(now, key)))
}

function memberOf(object: Record<string, unknown> | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

function unchangeable(pointer: string): Fault {
  return {
    pointer,
    detail: `"${pointer.split('/').at(-1)}" cannot be changed: delete the subscription and add another.`,
  }
}

function assertFaultless(faults: Fault[]): void {
  if (faults.length > 0) throw refusalFor('item_invalid', nothingChanged, faults)
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(memberOf(result, key), value)
  }
  return result
}

/**
 * Returns the forms in which a partner could have sent a subscription: without fields that are null, and with or
 * without the default status. The contract describes what partners send, so it must accept one of these forms.
 */
export function contractForms({ id: _id, ...item }: Record<string, unknown>, sent: Record<string, unknown>): object[] {
  const present = Object.entries(item).filter(([key, value]) => value !== null || !isNullable(key))
  const form = Object.fromEntries(present)
  if (form.status !== 'active' || Object.hasOwn(sent, 'status')) return [form]
  const { status: _status, ...shorter } = form
  return [form, shorter]
}

function isNullable(key: string): boolean {
  return key === 'label' || key === 'status' || key === 'start' || key === 'end'
}

/** Refuses ids that the room does not have in its current cycle. Returns the room's subscriptions by id, as JSON. */
export function assertKnown(wanted: WantedSubscription[], present: string[], pointer: string): Map<string, string> {
  const byId = new Map(present.map((json) => [parseSubscription(json).id, json]))
  const index = wanted.findIndex(({ id }) => id !== null && !byId.has(id))
  if (index === -1) return byId
  const detail = "This subscription is not in the room's current cycle."
  throw new Refusal('service_not_found', detail, { errors: [{ pointer: `${pointer}/${index}/id`, detail }] })
}

const common = new Set(['label', 'status', 'start', 'end'])

/**
 * Hashes names of fields that a partner defined, as a name can say something about a guest. By the hash, an event finds
 * the name only while the subscription still has the field.
 */
export function loggedKeys(id: string, keys: string[]): string[] {
  return keys.map((key) => (common.has(key) ? key : hashedKey(id, key)))
}

export function hashedKey(id: string, key: string): string {
  return `#${hash('sha256', JSON.stringify([id, key]), 'base64url').slice(0, 12)}`
}
