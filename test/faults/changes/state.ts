import type { Json, World } from './world.ts'

/** Everything that the audit log must be able to report, as the API returns it; without data of guests. */
export type State = Record<string, Json>

export async function stateOf({ done, ask }: World): Promise<State> {
  const estate = await done('GET /cms/v1/export?format=json')
  const facilities: Json[] = []
  for (const facility of estate.facilities) {
    const areas = await done(`GET /cms/v1/facilities/${facility.id_external}/areas?limit=1000`)
    const cycles = Object.fromEntries(areas.map(({ id, cycle }: Json) => [id, cycle]))
    facilities.push({
      ...facility,
      areas_autocomplete_list: facility.areas_autocomplete_list.map(inFull(facility)),
      cycles,
    })
  }
  const partners: Json[] = []
  for (const partner of estate.partners) {
    const path = `/cms/v1/partners/${partner.id}`
    const sandbox = await ask(`GET ${path}/sandbox`)
    partners.push({
      ...partner,
      tokens: (await done(`GET ${path}/tokens`)).map(
        pick('id', 'name', 'expires_at', 'allowed_ranges', 'revoked_at', 'successor'),
      ),
      webhook_endpoints: (await done(`GET ${path}/webhooks`)).map(endpoint),
      sandbox: sandbox.status === 200 ? sandboxState(sandbox.body) : null,
    })
  }
  return {
    facilities,
    partners,
    operators: (await done('GET /cms/v1/operators')).map(pick('id', 'email', 'name', 'role', 'date_disabled')),
    keys: (await done('GET /cms/v1/keys')).map(
      pick('id', 'name', 'expires_at', 'allowed_ranges', 'revoked_at', 'successor'),
    ),
    settings: await done('GET /cms/v1/settings'),
  }
}

/** The objects by their names in the audit log. */
function inFull({ id_external: facility }: Json) {
  return ({ id, name }: Json) => ({ id_external: `${facility}-${id}`, name })
}

function pick(...names: string[]) {
  return (view: Json) => Object.fromEntries(names.map((name) => [name, view[name]]))
}

function endpoint(view: Json) {
  return { ...pick('id', 'url', 'types', 'own')(view), active: view.disabled_at === null }
}

function sandboxState({ id, facilities, clock }: Json) {
  return {
    id,
    copies: facilities.map(({ copy_of }: Json) => copy_of),
    // A clock that was never moved is no value to record.
    ahead_ms: Math.round(clock.ahead_seconds * 1000) || null,
  }
}

/** Returns the values of one state that are missing in the other, as JSON, as often as they are missing. */
export function valuesMissing(from: State, other: State): string[] {
  const left = new Map<string, number>()
  for (const leaf of leavesOf(other, '')) left.set(leaf, (left.get(leaf) ?? 0) + 1)
  return leavesOf(from, '').flatMap((leaf) => {
    const count = left.get(leaf) ?? 0
    left.set(leaf, count - 1)
    return count > 0 ? [] : [leaf.slice(leaf.indexOf('=') + 1)]
  })
}

/** Lists each primitive value with its path, without positions: `/facilities/name="F"`. Empty values are left out. */
function leavesOf(value: unknown, path: string): string[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [`${path}=${JSON.stringify(value)}`]
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, path))
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}/${key}`))
}

/** Lists every primitive value, as JSON. */
export function valuesIn(value: unknown): string[] {
  return leavesOf(value, '').map((leaf) => leaf.slice(leaf.indexOf('=') + 1))
}
