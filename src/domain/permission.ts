import { type Access, allows, type Need } from './access/grant.ts'
import { isSandboxId } from './identifier.ts'
import { isInNameList, type NameList } from './name-list.ts'

/** The permissions of a partner: its grants, combined per facility. */
export interface Permissions {
  /**
   * The access to facilities that no grant names, from grants on all facilities; undefined if there is no such grant.
   */
  readonly everywhere: Access | undefined
  /** The facilities that grants name. Facilities with equal access form one group. */
  readonly named: readonly NamedFacilities[]
}

export interface NamedFacilities {
  readonly access: Access
  readonly names: NameList
}

export type Denial = 'hidden' | 'not_granted'

/**
 * Returns the partner's access to a facility, which need not exist. Returns undefined when the partner may not even see
 * it. A grant on all facilities does not include those of sandboxes, which a grant has to name.
 */
export function accessTo({ named, everywhere }: Permissions, facility: string): Access | undefined {
  for (const { names, access } of named) if (isInNameList(names, facility)) return access
  return isSandboxId(facility) ? undefined : everywhere
}

/**
 * Checks a partner's permission for an operation. Every read of `/v1` (even from a cache), every write and every event
 * calls this function.
 */
export function permit(partner: Permissions, facility: string, need: Need): Access | Denial {
  const access = accessTo(partner, facility)
  if (access === undefined) return 'hidden'
  return allows(access, need) ? access : 'not_granted'
}
