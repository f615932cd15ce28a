import type { Grant } from '../../api/types.ts'
import { grantFields, includes, type Plane, planes } from './grant-fields.ts'

export interface Loss {
  /** Facility ids; undefined for all facilities. */
  facilities: string[] | undefined
  /** The partner no longer sees these facilities. */
  isWhole: boolean
  rights: { plane: Plane; field: string }[]
}

/** Key for the facilities that no grant names. */
const others = '*'

/** Returns the permissions that a change of grants removes; facilities that lose the same are grouped. */
export function lossesOf(before: Grant[], after: Grant[]): Loss[] {
  const named = [...before, ...after].flatMap(({ facilities }) => (facilities === '*' ? [] : facilities))
  const places = [others, ...new Set(named)]
  const [had, has] = [rightsIn(before), rightsIn(after)]
  const groups = Map.groupBy(places, (place) => {
    const lost = [...had(place)].filter((right) => !has(place).has(right))
    return lost.join(' ')
  })
  return [...groups]
    .filter(([lost]) => lost !== '')
    .map(([lost, facilities]) => ({
      facilities: facilities.length === places.length && had(others).size > 0 ? undefined : facilities,
      isWhole: lost.split(' ').includes('see'),
      rights: lost
        .split(' ')
        .filter((right) => right !== 'see')
        .map((right) => {
          const [plane, field = ''] = right.split('.') as [Plane, string]
          return { plane, field }
        }),
    }))
}

/** Returns the permissions on a facility from all grants that cover it; `see` is one of them. */
function rightsIn(grants: Grant[]): (place: string) => Set<string> {
  const covered = grants.map((grant) => ({
    covers: grant.facilities === '*' ? undefined : new Set<string>(grant.facilities),
    rights: [
      'see',
      ...planes.flatMap((plane) =>
        grantFields[plane].filter((field) => includes(grant[plane], field)).map((field) => `${plane}.${field}`),
      ),
    ],
  }))
  return (place) => new Set(covered.flatMap(({ covers, rights }) => ((covers?.has(place) ?? true) ? rights : [])))
}
