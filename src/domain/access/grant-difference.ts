import { type Grant, type Rights, readFields, roomOperations, writeFields } from './grant.ts'

export type RightKind = keyof Rights

/** All fields and operations that a grant can name, in the order of the specification. */
export const grantFields: Record<RightKind, readonly string[]> = {
  read: readFields,
  write: writeFields,
  rooms: roomOperations,
}

export const rightKinds = Object.keys(grantFields) as RightKind[]

/** Facilities on which a change of grants removes the same permissions. */
export interface LostAccess {
  /** External ids; `*` stands for those that no grant names. Undefined if the change is the same on all facilities. */
  facilities: string[] | undefined
  /** Whether the partner no longer sees these facilities. */
  isWhole: boolean
  rights: { kind: RightKind; field: string }[]
}

const others = '*'
const visibility = 'see'

/** Returns the permissions that a change of grants removes. With the arguments swapped, returns those that it adds. */
export function lostAccess(before: Grant[], after: Grant[]): LostAccess[] {
  const named = [...before, ...after].flatMap(({ facilities }) => (facilities === '*' ? [] : facilities))
  const places = [others, ...new Set(named)]
  const [had, has] = [rightsOn(before), rightsOn(after)]
  const groups = Map.groupBy(places, (place) => {
    const left = has(place)
    return [...had(place)].filter((right) => !left.has(right)).join(' ')
  })
  return [...groups]
    .filter(([lost]) => lost !== '')
    .map(([lost, facilities]) => {
      const rights = lost.split(' ')
      return {
        facilities: facilities.length === places.length ? undefined : facilities,
        isWhole: rights.includes(visibility),
        rights: rights.filter((right) => right !== visibility).map(rightIn),
      }
    })
}

function rightIn(right: string): LostAccess['rights'][number] {
  const [kind, field = ''] = right.split('.') as [RightKind, string]
  return { kind, field }
}

/** Returns a function from facility ids to the union of all grants that cover the facility. */
function rightsOn(grants: Grant[]): (place: string) => Set<string> {
  const all = grants.map((grant) => ({
    covered: grant.facilities === '*' ? undefined : new Set<string>(grant.facilities),
    rights: [visibility, ...rightKinds.flatMap((kind) => fieldsOf(grant, kind).map((field) => `${kind}.${field}`))],
  }))
  return (place) => new Set(all.flatMap(({ covered, rights }) => ((covered?.has(place) ?? true) ? rights : [])))
}

function fieldsOf(grant: Grant, kind: RightKind): readonly string[] {
  const named: readonly string[] | '*' = grant[kind]
  return named === '*' ? grantFields[kind] : grantFields[kind].filter((field) => named.includes(field))
}
