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
 * The permission that an operation requires. `none`: only that the partner can see the facility. `orRooms` is an
 * alternative grant that suffices, `andRooms` one that is also required.
 */
export type Need = 'none' | { read: ReadField; orRooms?: RoomOperation } | { write: WriteField } | RoomNeed

export interface RoomNeed {
  rooms: RoomOperation
  andRooms?: RoomOperation
}

export interface Grant {
  facilities: string[] | '*'
  read: ReadField[] | '*'
  write: WriteField[] | '*'
  rooms: RoomOperation[] | '*'
}

export type Rights = Pick<Grant, 'read' | 'write' | 'rooms'>

/** The permissions of a partner on one facility: the union of all its grants that include the facility. */
export interface Access {
  read: ReadonlySet<ReadField>
  write: ReadonlySet<WriteField>
  rooms: ReadonlySet<RoomOperation>
  /** One bit for each field that the partner may read: partners with the same bits share a cached response. */
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

/** Requests and events call `permit` instead, which calls this and also handles facilities that are hidden. */
export function allows(access: Access, need: Need): boolean {
  if (need === 'none') return true
  if ('read' in need) return access.read.has(need.read) || allowsInstead(access, need)
  if ('write' in need) return access.write.has(need.write)
  return requiredOperations(need).every((operation) => access.rooms.has(operation))
}

function requiredOperations({ rooms, andRooms }: RoomNeed): RoomOperation[] {
  return andRooms === undefined ? [rooms] : [rooms, andRooms]
}

function allowsInstead({ rooms }: Access, { orRooms }: { orRooms?: RoomOperation }): boolean {
  return orRooms !== undefined && rooms.has(orRooms)
}

/** Returns whether only `rooms: services` permits this: a grant that counts only where rooms have services. */
export function reliesOnServices({ read }: Access, need: Need): boolean {
  if (need === 'none') return false
  if ('rooms' in need) return requiredOperations(need).includes('services')
  return 'read' in need && need.orRooms === 'services' && !read.has(need.read)
}

/** Returns the index of the first grant that allows the operation on the facility; -1 if none does. */
export function decidingGrant(grants: readonly Grant[], facility: string, need: Need): number {
  return grants.findIndex(({ facilities, ...rights }) => {
    return (facilities === '*' || facilities.includes(facility)) && allows(combineGrants([rights]), need)
  })
}

/** Names the missing grant: the first that the partner lacks, if the operation needs two. */
export function notGranted(facility: string, need: Need, access?: Access): Refusal {
  const isSecond = need !== 'none' && 'andRooms' in need && access?.rooms.has(need.rooms)
  const [kind, name] = isSecond ? ['rooms', need.andRooms as string] : (Object.entries(need)[0] as [string, string])
  return new Refusal('not_granted', `This needs the grant "${kind}: ${name}" on facility ${facility}.`, {
    required: { facility, [kind]: name },
  })
}
