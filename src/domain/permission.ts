import { type Access, allows, type Need } from './access/grant.ts'
import { isSandboxId } from './identifier.ts'
import { isInNameList, type NameList } from './name-list.ts'

/** The grants of a partner, added up. */
export interface Permissions {
  /** What it may do on facilities that no grant names; undefined when no grant covers every facility. */
  readonly everywhere: Access | undefined
  /** The facilities that grants name, by what it may do on them. */
  readonly named: readonly NamedFacilities[]
}

export interface NamedFacilities {
  readonly access: Access
  readonly names: NameList
}

export type Denial = 'hidden' | 'not_granted'

/**
 * Returns what the partner may do on this facility, whether or not there is such a facility; undefined when it may not
 * even see it. Grants on every facility cover real ones only; a sandbox's are seen by grants that name them.
 */
export function accessTo({ named, everywhere }: Permissions, facility: string): Access | undefined {
  for (const { names, access } of named) if (isInNameList(names, facility)) return access
  return isSandboxId(facility) ? undefined : everywhere
}

/** The permission check of `/v1`: decides for cached reads, other reads, writes and events alike. */
export function permit(partner: Permissions, facility: string, need: Need): Access | Denial {
  const access = accessTo(partner, facility)
  if (access === undefined) return 'hidden'
  return allows(access, need) ? access : 'not_granted'
}
