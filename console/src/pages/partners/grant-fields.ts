import { grantFields, type RightKind } from '../../../../src/domain/access/grant-difference.ts'
import type { Grant } from '../../api/types.ts'

export function includes(names: string[] | '*', field: string): boolean {
  return names === '*' || names.includes(field)
}

/** Replaces "all" by the list of all others when one is removed. */
export function toggled(grant: Grant, kind: RightKind, field: string): Grant {
  const rights = grant[kind]
  const named: readonly string[] = rights === '*' ? grantFields[kind] : rights
  const next = named.includes(field) ? named.filter((name) => name !== field) : [...named, field]
  return { ...grant, [kind]: next }
}
