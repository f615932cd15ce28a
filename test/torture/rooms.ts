const facilities = 30
const roomsInEach = 8

/** A room by its full id, and its facility. */
export interface Place {
  facility: string
  room: string
}

const everything = [{ facilities: '*', read: '*', write: '*', rooms: '*' }]

/** An estate with many rooms with services, and two partners with all rights. */
export const estate = {
  facilities: Array.from({ length: facilities }, (_, n) => ({
    id_external: `f-${n}`,
    name: `Facility ${n}`,
    room_services: true,
    areas: Array.from({ length: roomsInEach }, (_, room) => ({ id: `${room}`, name: `Room ${room}` })),
  })),
  partners: [
    { id: 'all', name: 'All', grants: everything },
    { id: 'other', name: 'Other', grants: everything },
  ],
}

/** The estate's rooms, those of one facility together. */
export function allRooms(): Place[] {
  return estate.facilities.flatMap(({ id_external: facility, areas }) =>
    areas.map(({ id }) => ({ facility, room: `${facility}-${id}` })),
  )
}
