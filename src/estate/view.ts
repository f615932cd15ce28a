import type { EstateFacility, EstatePartner } from '../domain/estate.ts'
import { parseExactly } from '../domain/exact-json.ts'
import { isObject } from '../domain/json.ts'

/** Converts a facility from its fields in code to the keys of the estate file, in their usual order. */
export function facilityView(facility: EstateFacility) {
  const { id, idExternal, name, status, type, ssidPublic, subscriptionUrl, subscribed, timezone } = facility
  const { roomServices, address, devices, areas, entries } = facility
  return {
    id,
    id_external: idExternal,
    name,
    status,
    type,
    ssid_public: ssidPublic,
    subscription_url: subscriptionUrl,
    subscribed,
    timezone,
    room_services: roomServices,
    address,
    devices,
    areas: areas?.map(({ id, name, dataGeneral }) => ({ id, name, ...(dataGeneral && { data_general: dataGeneral }) })),
    areas_autocomplete_list: entries,
  }
}

/** Has the keys of the estate file. Omits a partner's `rate_limit` and `webhooks` when they are the defaults. */
export function partnerView({ id, name, contract = null, rateLimit = null, webhooks, grants }: EstatePartner) {
  return {
    id,
    name,
    contract: schemaOf(contract),
    ...(rateLimit !== null && { rate_limit: rateLimit }),
    ...(webhooks && { webhooks }),
    grants,
  }
}

/** Returns a contract as a map, or as text if the schema is just `true` or `false`. */
function schemaOf(contract: string | null): unknown {
  const schema = contract === null ? null : parseExactly(contract)
  return isObject(schema) ? schema : contract
}
