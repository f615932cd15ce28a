import type { Grant, Rights } from '../domain/access/grant.ts'
import type { EstatePartner } from '../domain/estate.ts'
import { isObject } from '../domain/json.ts'
import type { CheckLimits } from '../estate/check-facility.ts'
import { partnerCheck } from '../estate/check-partner.ts'
import type { Notes } from './notes.ts'
import { getExtension, type Remote } from './remote.ts'

/**
 * Returns the partner of a token; undefined if Atrium cannot store it, or if the installation lacks `GET /v1/me`, an
 * extension of the specification: no other request shows what a token may write.
 */
export async function readPartner(
  remote: Remote,
  limits: CheckLimits,
  notes: Notes,
): Promise<EstatePartner | undefined> {
  const { json } = await getExtension(remote, '/v1/me')
  const { partner, grants, contract } = (isObject(json) ? json : {}) as Record<string, unknown>
  if (!isObject(partner) || !Array.isArray(grants)) {
    notes.add('partners and grants, which this installation does not show: write them into the file', remote.name)
    return undefined
  }
  const { id, name } = partner as Record<string, unknown>
  const draft = { id, name, ...(contract !== undefined && { contract }), grants: combined(grants.filter(isObject)) }
  const faults: string[] = []
  const checked = partnerCheck(limits)(draft, [], (path, message) => faults.push(`"${path.join('.')}" ${message}`))
  if (faults.length === 0) return checked
  notes.add(`partners that Atrium cannot store: ${faults[0]}`, remote.name)
  return undefined
}

/** `/v1/me` has one grant per facility. Returns one grant for all facilities with the same rights. */
function combined(rows: object[]): unknown[] {
  const byRights = new Map<string, { facilities: unknown[] | '*' } & Record<keyof Rights, unknown>>()
  for (const { facility, read, write, rooms } of rows as Record<string, unknown>[]) {
    const rights = { read, write, rooms }
    const key = JSON.stringify(facility === '*' ? ['*', rights] : [rights])
    const known = byRights.get(key) ?? { facilities: facility === '*' ? '*' : [], ...rights }
    if (known.facilities !== '*') known.facilities.push(facility)
    byRights.set(key, known)
  }
  return [...byRights.values()]
}

/** Omits grants on facilities that are missing from the estate file. */
export function withoutFacilities(partner: EstatePartner, missing: (facility: string) => boolean): EstatePartner {
  const grants = partner.grants?.flatMap((grant): Grant[] => {
    if (grant.facilities === '*') return [grant]
    const facilities = grant.facilities.filter((id) => !missing(id))
    return facilities.length > 0 ? [{ ...grant, facilities }] : []
  })
  return { ...partner, ...(grants && { grants }) }
}
