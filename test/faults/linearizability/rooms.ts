import type { Place } from './calls.ts'

const facilities = 30
const roomsInEach = 8

const facilityId = (n: number) => `f-${n}`

export const estate = {
  facilities: Array.from({ length: facilities }, (_, n) => ({
    id_external: facilityId(n),
    name: `Facility ${n}`,
    room_services: true,
    areas: Array.from({ length: roomsInEach }, (_, room) => ({ id: `${room}`, name: `Room ${room}` })),
  })),
  partners: [{ id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

/** The estate's rooms, neighbours in a facility first. */
export function allRooms(): Place[] {
  return estate.facilities.flatMap(({ id_external: facility, areas }) =>
    areas.map(({ id }) => ({ facility, room: `${facility}-${id}` })),
  )
}
