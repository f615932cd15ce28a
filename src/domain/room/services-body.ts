import { isObject } from '../json.ts'
import { type Fault, refusalAt } from '../refusal.ts'
import { type BulkOrder, parseBulk } from './bulk-body.ts'
import { type Contract, contractFaults } from './contract.ts'
import { decodeExactJson } from './legacy-body.ts'
import { draftSubscriptions, type SubscriptionDraft, type SubscriptionRules } from './subscription.ts'
import type { WantedSubscription } from './subscription-change.ts'
import { firstFaults, wantedSubscriptions } from './wanted-subscriptions.ts'

// Needs no database, so that a worker thread can parse large bodies.

export interface ParsedBodies {
  /** `{"value": "<JSON array>"}`, which adds subscriptions. Also checked against the partner's contract. */
  legacy: SubscriptionDraft[]
  /** A JSON Merge Patch (RFC 7396) for one subscription. */
  patch: Record<string, unknown>
  /** Replaces all subscriptions of a room. */
  whole: WantedSubscription[]
  /** Violations of the partner's contract are noted in each operation. */
  bulk: BulkOrder
  /** The violations of each subscription in a JSON array to check against the contract, which is no request body. */
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
  // The object around the array is one more level: partners can send back what they read from a room.
  const sent = decodeExactJson(body, rules.limits.jsonDepth + 1)
  if (!isObject(sent))
    throw refusalAt('body_invalid', '', 'The body must be a JSON object with the key "data_services".')
  return wantedSubscriptions(sent.data_services, rules, '/data_services')
}

/**
 * An item lists the objects with which one subscription can be written, with and without its default status: one of
 * them must match the contract.
 */
function itemFaults(items: object[][], contract: Contract): Fault[][] {
  return items.map((forms) => firstFaults(forms.map((form) => contractFaults(contract, form, ''))))
}
