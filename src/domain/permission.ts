import { type Access, allows, type Need } from './access/grant.ts'
import { isSandboxId } from './identifier.ts'

/** The permissions of a partner: its grants, combined per facility. */
export interface Permissions {
  /** The access by grants on all facilities, for facilities that no grant names. */
  readonly everywhere: Access | undefined
  /** The facilities that grants name. Facilities with equal access form one group. */
  readonly named: readonly NamedFacilities[]
}

interface NamedFacilities {
  readonly access: Access
  readonly names: NameList
}

type Denial = 'hidden' | 'not_granted'

/**
 * The facility need not exist. Returns undefined when the partner may not even see it. A grant on all facilities does
 * not include those of sandboxes, which a grant has to name.
 */
export function accessTo({ named, everywhere }: Permissions, facility: string): Access | undefined {
  for (const { names, access } of named) if (isInNameList(names, facility)) return access
  return isSandboxId(facility) ? undefined : everywhere
}

/** Every read of `/v1` (even from a cache), every write and every event calls this function. */
export function permit(partner: Permissions, facility: string, need: Need): Access | Denial {
  const access = accessTo(partner, facility)
  if (access === undefined) return 'hidden'
  return allows(access, need) ? access : 'not_granted'
}

/** Sorted names in one string, with a space before and after each. It takes a third of the memory of a Set. */
type NameList = string

export function nameList(names: string[]): NameList {
  return ` ${names.toSorted().join(' ')} `
}

/** Returns whether the list has the name, by binary search in the string. */
export function isInNameList(list: NameList, name: string): boolean {
  // Invariant: `low` and `high` are positions of spaces, and the name can only be between them.
  let low = 0
  let high = list.length - 1
  while (low < high) {
    const start = list.lastIndexOf(' ', (low + high - 1) >> 1) + 1
    const end = list.indexOf(' ', start)
    const order = compare(list, start, end, name)
    if (order === 0) return true
    if (order < 0) low = end
    else high = start - 1
  }
  return false
}

function compare(list: string, start: number, end: number, name: string): number {
  const length = Math.min(end - start, name.length)
  for (let at = 0; at < length; at++) {
    const difference = list.charCodeAt(start + at) - name.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return end - start - name.length
}
