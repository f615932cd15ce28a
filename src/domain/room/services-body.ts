import { isObject } from '../json.ts'
import { type Fault, refusalAt } from '../refusal.ts'
import { type BulkOrder, parseBulk } from './bulk-body.ts'
import { type Contract, contractFaults } from './contract.ts'
import { decodeExactJson } from './legacy-body.ts'
import { draftSubscriptions, type SubscriptionDraft, type SubscriptionRules } from './subscription.ts'
import type { WantedSubscription } from './subscription-change.ts'
import { firstFaults, wantedSubscriptions } from './wanted-subscriptions.ts'

// Parses request bodies with services of rooms. Needs no database, so that a worker thread can parse large bodies.

export interface ParsedBodies {
  /** `{"value": "<JSON array>"}`, which adds subscriptions. Checked against the partner's contract (a JSON Schema). */
  legacy: SubscriptionDraft[]
  /** A JSON Merge Patch (RFC 7396) for one subscription. */
  patch: Record<string, unknown>
  /** Replaces all subscriptions of a room. */
  whole: WantedSubscription[]
  /** A bulk call. Violations of the partner's contract are noted in the operation that has them. */
  bulk: BulkOrder
  /** The violations of the contract, per subscription. The input is not a request body but a JSON array. */
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
  // Allows one more level than other bodies do, for the object around the array: services that a partner has read from
  // a room must not be too deep when it sends them back.
  const sent = decodeExactJson(body, rules.limits.jsonDepth + 1)
  if (!isObject(sent))
    throw refusalAt('body_invalid', '', 'The body must be a JSON object with the key "data_services".')
  return wantedSubscriptions(sent.data_services, rules, '/data_services')
}

/**
 * Returns the violations of each item. An item lists the JSON objects that a partner could send for one subscription,
 * with and without the default status: one of them must match the contract.
 */
function itemFaults(items: object[][], contract: Contract): Fault[][] {
  return items.map((forms) => firstFaults(forms.map((form) => contractFaults(contract, form, ''))))
}
