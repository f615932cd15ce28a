import { isObject } from '../json.ts'
import { type Fault, type Refusal, refusalAt, refusalFor } from '../refusal.ts'
import { type Contract, contractFaults } from './contract.ts'
import { decodeExactJson } from './legacy-body.ts'
import { draftOne, draftSubscriptions, type SubscriptionDraft, type SubscriptionRules } from './subscription.ts'
import type { ChangeRules, WantedSubscription } from './subscription-change.ts'

// The bodies that hold subscriptions. They are parsed here, without the database, so that a worker thread can do it.

/** The forms of bodies, with what each is parsed to. */
export interface ParsedBodies {
  /** A legacy body, checked against the contract too. */
  legacy: SubscriptionDraft[]
  /** A JSON Merge Patch. */
  patch: Record<string, unknown>
  /** All services of a room. */
  whole: WantedSubscription[]
  /** Not the body of a request: a JSON array of items, parsed to the faults of each under the contract. */
  contract: Fault[][]
}

export type BodyForm = keyof ParsedBodies

const parsers: { [F in BodyForm]: (body: Uint8Array, rules: SubscriptionRules) => ParsedBodies[F] } = {
  legacy: draftSubscriptions,
  patch: parsePatch,
  whole: parseWhole,
  contract: (body, { contract }) => itemFaults(JSON.parse(Buffer.from(body).toString()), contract as Contract),
}

export function parseServicesBody<F extends BodyForm>(
  body: Uint8Array,
  { form, ...rules }: SubscriptionRules & { form: F },
): ParsedBodies[F] {
  return parsers[form](body, rules)
}

function parsePatch(body: Uint8Array, { limits }: SubscriptionRules): Record<string, unknown> {
  const patch = decodeExactJson(body, limits.jsonDepth)
  if (!isObject(patch)) throw refusalAt('body_invalid', '', 'The body must be a JSON object, a merge patch.')
  return patch
}

function parseWhole(body: Uint8Array, rules: SubscriptionRules): WantedSubscription[] {
  // One level more than where the array is the whole JSON, so that what was read can be sent back.
  const sent = decodeExactJson(body, rules.limits.jsonDepth + 1)
  if (!isObject(sent))
    throw refusalAt('body_invalid', '', 'The body must be a JSON object with the key "data_services".')
  return wantedSubscriptions(sent.data_services, rules, '/data_services')
}

/** Parses subscriptions that may have an id. `pointer` is the place of the array in the body. */
export function wantedSubscriptions(items: unknown, rules: ChangeRules, pointer: string): WantedSubscription[] {
  if (!Array.isArray(items)) throw refusalAt('body_invalid', pointer, `"${pointer.slice(1)}" must be an array.`)
  const { roomSubscriptions } = rules.limits
  if (items.length > roomSubscriptions) throw tooMany(pointer, roomSubscriptions)
  const faults: Fault[] = []
  const ids = new Set<unknown>()
  const wanted = items.map((item, index) => wantedOne(item, `${pointer}/${index}`, rules, { faults, ids }))
  if (faults.length > 0) throw refusalFor('item_invalid', 'Nothing was changed.', faults)
  return wanted
}

function tooMany(pointer: string, max: number): Refusal {
  return refusalAt('limit_exceeded', pointer, `A room can hold ${max} subscriptions.`)
}

function wantedOne(
  item: unknown,
  pointer: string,
  rules: ChangeRules,
  { faults, ids }: { faults: Fault[]; ids: Set<unknown> },
): WantedSubscription {
  if (!isObject(item)) throw refusalAt('item_not_object', pointer, 'Each item must be a JSON object.')
  const { id = null, ...sent } = item
  if (id !== null && typeof id !== 'string') faults.push({ pointer: `${pointer}/id`, detail: '"id" must be a string.' })
  if (id !== null && ids.has(id)) faults.push({ pointer: `${pointer}/id`, detail: 'This "id" is repeated.' })
  ids.add(id)
  return { id: id as string | null, draft: draftOne(sent, pointer, { ...rules, contract: null }, faults), sent }
}

/** Returns the faults of each item, which has one or more forms: none if the contract accepts one of them. */
function itemFaults(items: object[][], contract: Contract): Fault[][] {
  return items.map((forms) => {
    const faults = forms.map((form) => contractFaults(contract, form, ''))
    return faults.find(({ length }) => length === 0) ?? faults.at(-1) ?? []
  })
}
