import type { Random } from '../../torture/random.ts'
import type { Wire } from '../../torture/wire.ts'
import type { Room, Rooms } from './random-ids.ts'
import { isWritable, meant, spelled } from './spelling.ts'

export interface Reach {
  rooms: Rooms
  wire: Wire
  token: string
  random: Random
}

async function ask({ wire, token }: Reach, line: string, body?: object) {
  const json = body === undefined ? '' : JSON.stringify(body)
  const type = body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n`
  const head = `${line} HTTP/1.1\r\nHost: atrium\r\nAuthorization: Bearer ${token}\r\n${type ?? ''}\r\n`
  const answer = await wire.ask({ bytes: head + json })
  return { status: answer?.status, body: JSON.parse(answer?.body || 'null'), link: answer?.headers.get('link') }
}

/** Returns what is wrong, undefined when each spelling of a room's id leads to it and to no other. */
export async function reachRoom(reach: Reach, room: Room): Promise<string | undefined> {
  const { random } = reach
  return (
    (await expectRoom(reach, 'GET', spelled(room.full, random))) ??
    (random.chance(0.3) ? await expectRoom(reach, 'GET', spelled(spelled(room.full, random), random)) : undefined) ??
    (random.chance(0.3) && isWritable(room.full) ? await expectRoom(reach, 'GET', room.full) : undefined) ??
    (random.chance(0.1) ? await turn(reach, room) : undefined)
  )
}

/** The path, percent-decoded once, must lead to exactly that room or to none. */
async function expectRoom(reach: Reach, method: string, path: string): Promise<string | undefined> {
  const id = meant(path)
  const right = id === undefined ? undefined : reach.rooms.byFull.get(id)
  const { status, body } = await ask(reach, `${method} /v1/areas/${path}/`)
  if (id === undefined) return status === 400 ? undefined : `${method} ${path}, which cannot be decoded: ${status}`
  if (right === undefined)
    return status === 404 ? undefined : `${method} ${path} belongs to no partner, but returned ${status}`
  const found = body.area ?? body
  const isRight = status === 200 && found.id_external === right.full && found.name === right.canary
  return isRight ? undefined : `${method} ${path} means ${right.canary} and got ${status} ${JSON.stringify(body)}`
}

async function turn(reach: Reach, room: Room): Promise<string | undefined> {
  room.isOpen = !room.isOpen
  return expectRoom(reach, room.isOpen ? 'POST' : 'DELETE', spelled(room.full, reach.random))
}

/** Paging through the rooms returns each once, and the opened ones are open. */
export async function reachFacility(reach: Reach, facility: string): Promise<string | undefined> {
  const { random, rooms } = reach
  const own = rooms.byFacility.get(facility) as Room[]
  const id = spelled(facility, random)
  const { status, body } = await ask(reach, `GET /v1/facilities/${id}/`)
  if (status !== 200 || body.name !== `name of ${facility}`) return `GET ${id} got ${status} ${JSON.stringify(body)}`
  const shown: string[] = []
  for (let next: string | undefined = `/v1/facilities/${id}/areas?limit=7`; next !== undefined; ) {
    const page = await ask(reach, `GET ${next}`)
    if (page.status !== 200) return `GET ${next} got ${page.status} ${JSON.stringify(page.body)}`
    for (const { id_external, name, cycle } of page.body)
      shown.push(JSON.stringify([id_external, name, cycle !== null]))
    next = /^<(.+)>; rel="next"$/.exec(page.link ?? '')?.[1]
  }
  const right = own.map(({ full, canary, isOpen }) => JSON.stringify([full, canary, isOpen]))
  if (shown.toSorted().join() !== right.toSorted().join()) return `the rooms of ${facility} are ${shown}, not ${right}`
  return listRooms(reach, facility, own)
}

/** Sends short ids and expects full ids. */
async function listRooms(reach: Reach, facility: string, own: Room[]): Promise<string | undefined> {
  const value = own.map(({ short, canary }) => ({ id_external: short, name: canary }))
  const path = `/v1/facilities/${spelled(facility, reach.random)}/areas_autocomplete_list`
  const { status, body } = await ask(reach, `PATCH ${path}`, { value })
  const right = own.map(({ full, canary }) => ({ id_external: full, name: canary }))
  const isRight = status === 200 && JSON.stringify(body.areas_autocomplete_list) === JSON.stringify(right)
  return isRight ? undefined : `the list of ${facility} got ${status} ${JSON.stringify(body)}`
}
