import { isObject } from '../json.ts'
import { type Fault, refusalAt } from '../refusal.ts'
import { type BulkOrder, parseBulk } from './bulk-body.ts'
import { type Contract, contractFaults } from './contract.ts'
import { decodeExactJson } from './legacy-body.ts'
import { draftSubscriptions, type SubscriptionDraft, type SubscriptionRules } from './subscription.ts'
import type { WantedSubscription } from './subscription-change.ts'
import { firstFaults, wantedSubscriptions } from './wanted-subscriptions.ts'

// The bodies that hold subscriptions. They are parsed here, without the database, so that a worker thread can do it.

/** The forms of bodies, with what each is parsed to. */
export interface ParsedBodies {
  /** A legacy body, checked against the contract too. */
  legacy: SubscriptionDraft[]
  /** A JSON Merge Patch. */
  patch: Record<string, unknown>
  /** All services of a room. */
  whole: WantedSubscription[]
  /** Operations on many rooms, with what the contract has against their services. */
  bulk: BulkOrder
  /** Not the body of a request: a JSON array of items, parsed to the faults of each under the contract. */
  contract: Fault[][]
}

export type BodyForm = keyof ParsedBodies

const parsers: { [F in BodyForm]: (body: Uint8Array, rules: SubscriptionRules) => ParsedBodies[F] } = {
  legacy: draftSubscriptions,
  patch: parsePatch,
  whole: parseWhole,
  bulk: parseBulk,
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

/** Returns the faults of each item, which has one or more forms: none if the contract accepts one of them. */
function itemFaults(items: object[][], contract: Contract): Fault[][] {
  return items.map((forms) => firstFaults(forms.map((form) => contractFaults(contract, form, ''))))
}
