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

export type Plane = keyof Rights

export const planes = Object.keys(grantFields) as Plane[]

export function includes(names: string[] | '*', field: string): boolean {
  return names === '*' || names.includes(field)
}

/** Replaces "all" by the list of all others when one is removed. */
export function toggled(grant: Grant, plane: Plane, field: string): Grant {
  const rights = grant[plane]
  const named: string[] = rights === '*' ? grantFields[plane] : rights
  const next = named.includes(field) ? named.filter((name) => name !== field) : [...named, field]
  return { ...grant, [plane]: next }
}
