import type { Random } from '../../torture/random.ts'
import { compareRooms, type RoomBook, refused } from '../../torture/room-book.ts'
import type { Answer, RoomClient } from '../../torture/room-client.ts'
import type { ClockedNode, Lane } from './lane.ts'

const writesEach = 4
const hourSeconds = 3600
/** All clocks stay within a day of one another, because idempotency keys are stored for a day. */
const farthestSeconds = 9 * hourSeconds

/** Sets a clock, by seconds or by hours, while all clients write. */
export async function jump(lane: Lane, random: Random): Promise<void> {
  const node = random.pick(lane.nodes)
  const writing = lane.books.map((book, n) => write(lane, book, lane.writers[n] as RoomClient, random.branch()))
  node.clock.set(offset(node, random))
  await Promise.all(writing)
  for (const { url } of lane.nodes) await compareRooms(lane.books, lane.client, url, 'after a clock was set')
}

function offset({ clock }: ClockedNode, random: Random): number {
  // Turns the clock back to the moment at which it was last set.
  if (random.chance(0.3)) return clock.offsetSeconds - clock.secondsSinceSet
  const small = clock.offsetSeconds + random.pick([-3, -2, -2, -1, 1])
  if (random.chance(0.5) && Math.abs(small) < farthestSeconds) return small
  return random.below(2 * farthestSeconds) - farthestSeconds
}

/** Sends requests to any node, as a load balancer does. */
async function write(lane: Lane, book: RoomBook, writer: RoomClient, random: Random): Promise<void> {
  for (let n = 0; n < writesEach; n++) {
    const node = random.pick(lane.nodes)
    const answer = await book.write(writer, node.url, random)
    demand(answer, 200, `a write to room ${book.area}`, node)
    remember(lane, book.area, answer as Answer)
  }
}

function remember(lane: Lane, area: string, { body }: Answer): void {
  const services = body.area?.data_services ?? body.remaining_services ?? body.services.data_services
  for (const { id, code } of services) once(lane, id, `${code} of room ${area}`)
  const cycle = body.area?.cycle ?? undefined
  if (cycle === undefined) return
  const known = lane.cycles.get(area) ?? []
  once(lane, cycle, `cycle ${known.length + 1} of room ${area}`)
  lane.cycles.set(area, [...known, cycle])
}

function once({ ids }: Lane, id: string, what: string): void {
  const other = ids.get(id) ?? what
  if (other !== what) throw refused(`${id} was given out twice`, [`for ${other}`, `for ${what}`])
  ids.set(id, what)
}

export function demand(answer: Answer | undefined, status: number, what: string, { clock }: ClockedNode): void {
  if (answer?.status === status) return
  const found = `${answer?.status} ${answer?.body?.code ?? ''}`.trim()
  const history = [`the node's clock is off by ${clock.offsetSeconds} s`, `expected ${status}, found ${found}`]
  throw refused(`${what} returned ${found}`, history)
}
