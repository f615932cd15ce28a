import { isObject } from '../domain/json.ts'
import { getList } from './pages.ts'
import type { Reader, RemoteResponse } from './remote.ts'
import { RemoteFailure } from './remote-failure.ts'

type Members = Record<string, unknown>

/** A facility, merged from the responses to all tokens. Fields and lists that no token may read are missing. */
export interface SeenFacility {
  id: string
  fields: Members
  areas?: Members[]
  entries?: Members[]
  /** Fields for which two tokens got different values: they changed between the two requests. */
  unsteady: string[]
}

/** The optional fields of the specification. They are missing from a response unless a grant allows reading them. */
export const grantedFields = ['ssid_public', 'address', 'subscription_url', 'type', 'subscribed', 'devices'] as const

export async function listFacilities(remote: Reader): Promise<Members[]> {
  const { status, json } = await getList(remote, '/v1/facilities/')
  if (status !== 200) throw new RemoteFailure(`GET /v1/facilities/: ${remote.name} may not list facilities (${status})`)
  return objectsIn(json, 'GET /v1/facilities/')
}

/**
 * Merges the responses to one token after another, until no optional field or list is missing. `summary` is the item of
 * the list of facilities, which may be older: it counts only for fields that the responses lack.
 */
export async function readFacility(id: string, summary: Members, remotes: Reader[]): Promise<SeenFacility> {
  const seen: SeenFacility = { id, fields: {}, unsteady: [] }
  const path = facilityPath(id)
  for (const remote of remotes) {
    if (isComplete(seen)) break
    if (grantedFields.some((name) => !(name in seen.fields))) mergeFields(seen, objectIn(await remote.get(path), path))
    if (seen.areas === undefined) {
      const { status, json } = await getList(remote, `${path}areas`)
      if (status === 200) seen.areas = objectsIn(json, `GET ${path}areas`)
    }
    if (seen.entries === undefined) {
      const listPath = `${path}areas_autocomplete_list`
      const list = objectIn(await getList(remote, listPath), listPath)
      if (list) seen.entries = objectsIn(list.areas_autocomplete_list, `GET ${listPath}`)
    }
  }
  return { ...seen, fields: { ...summary, ...seen.fields } }
}

function isComplete({ fields, areas, entries }: SeenFacility): boolean {
  return areas !== undefined && entries !== undefined && grantedFields.every((name) => name in fields)
}

function mergeFields(seen: SeenFacility, body: Members | undefined): void {
  for (const [name, value] of Object.entries(body ?? {})) {
    if (!(name in seen.fields)) seen.fields[name] = value
    else if (JSON.stringify(seen.fields[name]) !== JSON.stringify(value)) seen.unsteady.push(name)
  }
}

function objectIn({ status, json }: RemoteResponse, path: string): Members | undefined {
  if (status !== 200) return undefined
  if (!isObject(json)) throw new RemoteFailure(`GET ${path}: the body is not a JSON object`)
  return json as Members
}

function objectsIn(json: unknown, what: string): Members[] {
  if (!Array.isArray(json)) throw new RemoteFailure(`${what}: an array is missing in the body`)
  if (!json.every(isObject)) throw new RemoteFailure(`${what}: an item of the array is not an object`)
  return json as Members[]
}

export function facilityPath(id: string): string {
  return `/v1/facilities/${encodeURIComponent(id)}/`
}
