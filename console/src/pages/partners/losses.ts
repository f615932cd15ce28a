import type { Grant } from '../../api/types.ts'
import { grantFields, includes, kinds, type RightKind } from './grant-fields.ts'

export interface Loss {
  /** Facility ids; undefined for all facilities. */
  facilities: string[] | undefined
  /** The partner no longer sees these facilities. */
  isWhole: boolean
  rights: { kind: RightKind; field: string }[]
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
          const [kind, field = ''] = right.split('.') as [RightKind, string]
          return { kind, field }
        }),
    }))
}

/** Returns the permissions on a facility from all grants that cover it; `see` is one of them. */
function rightsIn(grants: Grant[]): (place: string) => Set<string> {
  const covered = grants.map((grant) => ({
    covers: grant.facilities === '*' ? undefined : new Set<string>(grant.facilities),
    rights: [
      'see',
      ...kinds.flatMap((kind) =>
        grantFields[kind].filter((field) => includes(grant[kind], field)).map((field) => `${kind}.${field}`),
      ),
    ],
  }))
  return (place) => new Set(covered.flatMap(({ covers, rights }) => ((covers?.has(place) ?? true) ? rights : [])))
}
