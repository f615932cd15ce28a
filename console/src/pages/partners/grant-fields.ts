import type { Grant, Names } from '../../api/types.ts'

/** The columns of the matrix, in the order of the specification. */
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
  ],
  write: ['name', 'ssid_public', 'subscription_url', 'areas_autocomplete_list'],
  rooms: ['open_close', 'services'],
} as const satisfies Record<string, readonly string[]>

export type Plane = keyof typeof grantFields

export const planes = Object.keys(grantFields) as Plane[]

export function includes(names: Names, field: string): boolean {
  return names === '*' || names.includes(field)
}

/** Taking one away from "all" leaves all the others. */
export function toggled(grant: Grant, plane: Plane, field: string): Grant {
  const named = grant[plane] === '*' ? [...grantFields[plane]] : grant[plane]
  const next = named.includes(field) ? named.filter((name) => name !== field) : [...named, field]
  return { ...grant, [plane]: next }
}
