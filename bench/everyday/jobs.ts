import type { Wire } from './wire.ts'

/** The hospital of the jobs: its external id, and the full ids of its rooms, of which there are at least 200. */
export interface Hospital {
  facility: string
  rooms: string[]
}

export interface Job {
  name: string
  /** Brings the rooms into the state in which the job begins; not measured. Returns what the partner knows then. */
  prepare(wire: Wire, hospital: Hospital): Promise<Known>
  ways: Way[]
}

/** The rooms of the job, and the id of the service in each that has one. */
export interface Known {
  rooms: string[]
  services: Map<string, string>
}

export interface Way {
  name: string
  connections?: number
  run(wire: Wire, hospital: Hospital, known: Known): Promise<void>
}

const tv = { code: 'tv-premium', label: 'Premium TV', end: '2027-11-22T10:00:00.000Z' }
const later = '2027-11-29T10:00:00.000Z'
const services = (room: string) => `/v1/areas/${room}/data_services`
const legacy = (items: object[]) => ({ value: JSON.stringify(items) })
const maxOperations = 500

type Operation = { op: string; area: string; [member: string]: unknown }

async function bulk(wire: Wire, { facility }: Hospital, mode: 'each' | 'all', operations: Operation[]): Promise<void> {
  for (let at = 0; at < operations.length; at += maxOperations) {
    const body = { mode, operations: operations.slice(at, at + maxOperations) }
    const { results } = await wire.send('POST', `/v1/facilities/${facility}/areas/bulk`, body)
    const failed = results.find(({ status }: { status: number }) => status !== 200)
    if (failed !== undefined) throw new Error(JSON.stringify(failed).slice(0, 300))
  }
}

/** Closes all rooms, then opens those that the job needs, each with a service. */
async function occupied(wire: Wire, hospital: Hospital, count: number): Promise<Known> {
  const rooms = hospital.rooms.slice(0, count)
  await bulk(wire, hospital, 'each', [...hospital.rooms.map((area) => ({ op: 'close', area })), ...checkIns(rooms)])
  const areas = await wire.send('GET', `/v1/facilities/${hospital.facility}/areas`)
  const known = areas.flatMap(
    ({ id_external: id, data_services: [first] }: { id_external: string; data_services: { id: string }[] }) =>
      first === undefined ? [] : [[id, first.id] as const],
  )
  return { rooms, services: new Map(known) }
}

function checkIns(rooms: string[]): Operation[] {
  return rooms.flatMap((area) => [
    { op: 'open', area },
    { op: 'add_services', area, services: [tv] },
  ])
}

async function checkInOneByOne(wire: Wire, rooms: string[]): Promise<void> {
  for (const room of rooms) {
    await wire.send('POST', `/v1/areas/${room}/`)
    await wire.send('POST', services(room), legacy([tv]))
  }
}

const empty = async (wire: Wire, hospital: Hospital, count: number): Promise<Known> => {
  await bulk(
    wire,
    hospital,
    'each',
    hospital.rooms.map((area) => ({ op: 'close', area })),
  )
  const rounds = Math.ceil(count / hospital.rooms.length)
  return { rooms: Array(rounds).fill(hospital.rooms).flat().slice(0, count), services: new Map() }
}

const stays = 20
const party = 40
const checkedIn = 600
const differing = 10

export const jobs: Job[] = [
  {
    name: `extend ${stays} stays`,
    prepare: (wire, hospital) => occupied(wire, hospital, stays),
    ways: [
      {
        name: 'read, delete, add',
        run: async (wire, _, { rooms }) => {
          for (const room of rooms) {
            const {
              data_services: [service],
            } = await wire.send('GET', services(room))
            await wire.send('DELETE', `${services(room)}/${service.id}`)
            await wire.send('POST', services(room), legacy([{ ...service, end: later }]))
          }
        },
      },
      {
        name: '`PATCH`',
        run: async (wire, _, known) => {
          for (const room of known.rooms) {
            await wire.send('PATCH', `${services(room)}/${known.services.get(room)}`, { end: later })
          }
        },
      },
    ],
  },
  {
    name: `move ${stays} guests`,
    prepare: (wire, hospital) => occupied(wire, hospital, stays),
    ways: [
      {
        name: 'read, open, add, close',
        run: async (wire, { rooms: all }, { rooms }) => {
          for (const [index, room] of rooms.entries()) {
            const target = all[stays + index] as string
            const { data_services: kept } = await wire.send('GET', services(room))
            await wire.send('POST', `/v1/areas/${target}/`)
            await wire.send('POST', services(target), legacy(kept))
            await wire.send('DELETE', `/v1/areas/${room}/`)
          }
        },
      },
      {
        name: '`POST …/move`',
        run: async (wire, { rooms: all }, { rooms }) => {
          for (const [index, room] of rooms.entries()) {
            await wire.send('POST', `/v1/areas/${room}/move`, { to: all[stays + index] })
          }
        },
      },
    ],
  },
  {
    name: `check in a party of ${party}`,
    prepare: (wire, hospital) => empty(wire, hospital, party),
    ways: [
      { name: 'open, add', run: (wire, _, { rooms }) => checkInOneByOne(wire, rooms) },
      { name: 'bulk, `all`', run: (wire, hospital, { rooms }) => bulk(wire, hospital, 'all', checkIns(rooms)) },
    ],
  },
  {
    name: `synchronize 200 rooms, ${differing} of which differ`,
    prepare: (wire, hospital) => occupied(wire, hospital, hospital.rooms.length),
    ways: [
      {
        name: 'read each room; delete, add',
        run: async (wire, { rooms }) => {
          for (const [index, room] of rooms.entries()) {
            const {
              data_services: [service],
            } = await wire.send('GET', services(room))
            if (index >= differing) continue
            await wire.send('DELETE', `${services(room)}/${service.id}`)
            await wire.send('POST', services(room), legacy([{ ...tv, end: later }]))
          }
        },
      },
      {
        name: 'read the areas; bulk, `each`',
        run: async (wire, hospital, known) => {
          await wire.send('GET', `/v1/facilities/${hospital.facility}/areas`)
          const wanted = hospital.rooms.slice(0, differing).map((area) => {
            const id = known.services.get(area)
            return { op: 'replace_services', area, services: [{ ...tv, id, end: later }] }
          })
          await bulk(wire, hospital, 'each', wanted)
        },
      },
    ],
  },
  {
    name: `check in ${checkedIn} guests`,
    prepare: (wire, hospital) => empty(wire, hospital, checkedIn),
    ways: [
      { name: 'open, add', run: (wire, _, { rooms }) => checkInOneByOne(wire, rooms) },
      {
        name: 'open, add, on 8 connections',
        connections: 8,
        run: async (wire, _, { rooms }) => {
          const rest = rooms.values()
          const work = async () => {
            for (const room of rest) await checkInOneByOne(wire, [room])
          }
          await Promise.all(Array.from({ length: 8 }, work))
        },
      },
      { name: 'bulk, `each`', run: (wire, hospital, { rooms }) => bulk(wire, hospital, 'each', checkIns(rooms)) },
      { name: 'bulk, `all`', run: (wire, hospital, { rooms }) => bulk(wire, hospital, 'all', checkIns(rooms)) },
    ],
  },
]
