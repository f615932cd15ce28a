import type { ReadField, Rights, RoomOperation, WriteField } from '../../../../src/domain/access/grant.ts'
import type { Grant } from '../../api/types.ts'

/** Columns of the matrix, in the order of the specification. */
export const grantFields = {
  read: [
    'date_created',
    'date_updated',
    'ssid_public',
    'address',
    'subscription_url',
    'type',
    'subscribed',
    'devices',
    'areas',
    'areas_autocomplete_list',
  ] satisfies ReadField[] as string[],
  write: ['name', 'ssid_public', 'subscription_url', 'areas_autocomplete_list'] satisfies WriteField[] as string[],
  rooms: ['open_close', 'services'] satisfies RoomOperation[] as string[],
}

export type RightKind = keyof Rights

export const kinds = Object.keys(grantFields) as RightKind[]

export function includes(names: string[] | '*', field: string): boolean {
  return names === '*' || names.includes(field)
}

/** Replaces "all" by the list of all others when one is removed. */
export function toggled(grant: Grant, kind: RightKind, field: string): Grant {
  const rights = grant[kind]
  const named: string[] = rights === '*' ? grantFields[kind] : rights
  const next = named.includes(field) ? named.filter((name) => name !== field) : [...named, field]
  return { ...grant, [kind]: next }
}
