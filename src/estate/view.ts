import type { EstateFacility, EstatePartner } from '../domain/estate.ts'
import { parseExactly } from '../domain/exact-json.ts'
import { isObject } from '../domain/json.ts'

/** A facility with the keys that the file gives them, in its order. */
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
    areas: areas?.map(({ id, name, dataGeneral }) => ({ id, name, data_general: dataGeneral })),
    areas_autocomplete_list: entries,
  }
}

/** `rate_limit` is there only when the partner has its own, `webhooks` when it may keep some. */
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

/** As a map where it is one; a contract that is just `true` or `false` is written as text. */
function schemaOf(contract: string | null): unknown {
  const schema = contract === null ? null : parseExactly(contract)
  return isObject(schema) ? schema : contract
}
