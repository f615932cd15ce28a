import { Refusal } from '../refusal.ts'

export const readFields = [
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
] as const
export const writeFields = ['name', 'ssid_public', 'subscription_url', 'areas_autocomplete_list'] as const
export const roomOperations = ['open_close', 'services'] as const

export type ReadField = (typeof readFields)[number]
export type WriteField = (typeof writeFields)[number]
export type RoomOperation = (typeof roomOperations)[number]

/**
 * What one operation asks of a partner on one facility. `none` asks only that the facility is visible; `orRooms` names
 * another right that is enough as well.
 */
export type Need =
  | 'none'
  | { read: ReadField; orRooms?: RoomOperation }
  | { write: WriteField }
  | { rooms: RoomOperation }

export interface Grant {
  facilities: string[] | '*'
  read: ReadField[] | '*'
  write: WriteField[] | '*'
  rooms: RoomOperation[] | '*'
}

export type Rights = Pick<Grant, 'read' | 'write' | 'rooms'>

/** What a partner may do on one facility, all its grants added up. */
export interface Access {
  read: ReadonlySet<ReadField>
  write: ReadonlySet<WriteField>
  rooms: ReadonlySet<RoomOperation>
  /** A bit for each readable field: who has the same number sees the same of a facility. */
  readMask: number
}

export function combineGrants(grants: Rights[]): Access {
  const read = union(
    readFields,
    grants.map((grant) => grant.read),
  )
  return {
    read,
    readMask: readFields.reduce((mask, field, bit) => mask | (Number(read.has(field)) << bit), 0),
    write: union(
      writeFields,
      grants.map((grant) => grant.write),
    ),
    rooms: union(
      roomOperations,
      grants.map((grant) => grant.rooms),
    ),
  }
}

function union<T>(all: readonly T[], lists: (T[] | '*')[]): ReadonlySet<T> {
  return new Set(lists.includes('*') ? all : all.filter((name) => lists.some((list) => list.includes(name as never))))
}

/** Whether these rights meet the need. `permit` decides for a partner. */
export function allows(access: Access, need: Need): boolean {
  if (need === 'none') return true
  if ('read' in need) return access.read.has(need.read) || allowsInstead(access, need)
  if ('write' in need) return access.write.has(need.write)
  return access.rooms.has(need.rooms)
}

function allowsInstead({ rooms }: Access, { orRooms }: { orRooms?: RoomOperation }): boolean {
  return orRooms !== undefined && rooms.has(orRooms)
}

/** Whether only its right to manage the services of rooms, which the installation must support, meets the need. */
export function reliesOnServices({ read }: Access, need: Need): boolean {
  if (need === 'none') return false
  if ('rooms' in need) return need.rooms === 'services'
  return 'read' in need && need.orRooms === 'services' && !read.has(need.read)
}

/** The first grant by which the need is met on the facility; -1 when none does. */
export function decidingGrant(grants: readonly Grant[], facility: string, need: Need): number {
  return grants.findIndex(({ facilities, ...rights }) => {
    return (facilities === '*' || facilities.includes(facility)) && allows(combineGrants([rights]), need)
  })
}

export function notGranted(facility: string, need: Need): Refusal {
  const [kind, name] = Object.entries(need)[0] as [string, string]
  return new Refusal('not_granted', `This needs the grant "${kind}: ${name}" on facility ${facility}.`, {
    required: { facility, [kind]: name },
  })
}
