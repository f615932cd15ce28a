import { isObject } from '../json.ts'
import { type Fault, refusalAt } from '../refusal.ts'
import { type BulkOrder, parseBulk } from './bulk-body.ts'
import { type Contract, contractFaults } from './contract.ts'
import { decodeExactJson } from './legacy-body.ts'
import { draftSubscriptions, type SubscriptionDraft, type SubscriptionRules } from './subscription.ts'
import type { WantedSubscription } from './subscription-change.ts'
import { firstFaults, wantedSubscriptions } from './wanted-subscriptions.ts'

// Parses the request bodies that hold subscriptions. Needs no database, so that a worker thread can parse large ones.

/** Maps each kind of request body to the type of the parsed body. */
export interface ParsedBodies {
  /**
   * The body `{"value": "<JSON array>"}`, which adds subscriptions. Parsing also checks them against the partner's
   * contract (a JSON Schema).
   */
  legacy: SubscriptionDraft[]
  /** A JSON Merge Patch (RFC 7396) for one subscription. */
  patch: Record<string, unknown>
  /** All subscriptions that a room is to have, which replace the present ones. */
  whole: WantedSubscription[]
  /** Operations on many rooms. Violations of the partner's contract are noted in each operation. */
  bulk: BulkOrder
  /**
   * Not a request body but a JSON array of subscriptions to check against the partner's contract (a JSON Schema). The
   * result has the violations of each subscription.
   */
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
  // Allows one more level of nesting for the object around the array, so that a partner can send back what it read from
  // a room.
  const sent = decodeExactJson(body, rules.limits.jsonDepth + 1)
  if (!isObject(sent))
    throw refusalAt('body_invalid', '', 'The body must be a JSON object with the key "data_services".')
  return wantedSubscriptions(sent.data_services, rules, '/data_services')
}

/**
 * Returns the violations of the partner's contract (a JSON Schema) for each item. An item lists the objects with which
 * one subscription can be written, with and without its default status: one of them must match.
 */
function itemFaults(items: object[][], contract: Contract): Fault[][] {
  return items.map((forms) => firstFaults(forms.map((form) => contractFaults(contract, form, ''))))
}
