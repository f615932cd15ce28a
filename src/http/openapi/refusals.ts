import type { RefusalCode } from '../../domain/refusal.ts'
import type { CmsEndpoint } from '../cms/endpoint.ts'
import type { Endpoint } from '../partner/endpoint.ts'
import { meanings } from '../pipeline/errors.ts'
import { cmsSamples } from './cms-problem-examples.ts'

/** The codes outside the CMS API, whose own codes are in its own OpenAPI document. */
export const partnerCodes = (Object.keys(meanings) as RefusalCode[]).filter((code) => !(code in cmsSamples))

/** Refusal codes that occur only within the results of a call, which as a whole has status 200. */
export const inResultsOnly: RefusalCode[] = ['not_attempted']

export const anywhere: RefusalCode[] = [
  'request_malformed',
  'header_repeated',
  'request_timeout',
  'headers_too_large',
  'internal_error',
]

const ofPartnerApi: RefusalCode[] = [
  ...anywhere,
  'method_not_allowed',
  'token_missing',
  'token_invalid',
  'address_not_allowed',
  'rate_limited',
  'parameter_unknown',
  'database_unavailable',
  'overloaded',
]

const withKey: RefusalCode[] = [
  'idempotency_key_invalid',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'cycle_ended_for_key',
]

const withBody: RefusalCode[] = [
  'body_type_unsupported',
  'body_too_large',
  'body_not_json',
  'body_too_deep',
  'key_forbidden',
  'text_forbidden',
]

const withLegacyBody: RefusalCode[] = ['body_not_object', 'value_missing']

/** Adds the codes that follow from the properties of a route to those in its property `refusals`. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  return [
    ...ofPartnerApi,
    ...when(endpoint.query.length > 0, 'parameter_invalid'),
    ...when(endpoint.path.includes('{facilityExternalId}'), 'facility_not_granted', 'facility_not_found'),
    ...when(endpoint.path.includes('{areaExternalId}'), 'area_not_found'),
    ...when(endpoint.needs !== 'none' || endpoint.right !== undefined, 'not_granted'),
    ...when(endpoint.sandbox === true, 'sandbox_required'),
    ...when(endpoint.path.includes('{webhookId}'), 'webhook_not_found'),
    ...when(endpoint.conditional !== undefined, 'precondition_failed'),
    ...when(endpoint.cycle === true, 'header_invalid', 'cycle_ended'),
    ...when(endpoint.idempotent === true, ...withKey),
    ...when(endpoint.body !== undefined, ...withBody),
    ...when(endpoint.body?.plain === true, 'body_invalid'),
    ...when(endpoint.body !== undefined && endpoint.body.plain !== true, ...withLegacyBody),
    ...endpoint.refusals,
  ]
}

/** Returns whether so many routes share a code that it says nothing about a single one of them. */
export function isCommon(code: RefusalCode): boolean {
  const common = [ofPartnerApi, ofCmsApi, forOperators, withBody, withLegacyBody]
  return common.some((codes) => codes.includes(code))
}

function when(applies: boolean, ...codes: RefusalCode[]): RefusalCode[] {
  return applies ? codes : []
}

const ofCmsApi: RefusalCode[] = [
  ...anywhere,
  'method_not_allowed',
  'parameter_unknown',
  'database_unavailable',
  'overloaded',
]

const forOperators: RefusalCode[] = ['sign_in_required', 'key_invalid', 'address_not_allowed']

export function cmsRefusalsOf(endpoint: CmsEndpoint): RefusalCode[] {
  const { role, method, query = [], conditional, cycle, body, refusals } = endpoint
  return [
    ...ofCmsApi,
    ...when(role !== 'anyone', ...forOperators),
    ...when(role !== 'anyone' && role !== 'viewer', 'role_insufficient'),
    ...when(role !== 'anyone' && method !== 'GET', 'origin_refused'),
    ...when(query.length > 0, 'parameter_invalid'),
    ...when(conditional === true, 'precondition_failed'),
    ...when(cycle === true, 'header_invalid', 'cycle_ended', 'room_occupied'),
    ...when(body !== undefined, ...withBody, 'body_invalid'),
    ...refusals,
  ]
}
