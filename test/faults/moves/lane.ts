import { setTimeout as sleep } from 'node:timers/promises'
import type { RoomsDatabase } from '../../torture/database.ts'
import type { Run, Violation } from '../../torture/harness.ts'
import { type AtriumNode, startNode } from '../../torture/node.ts'
import type { Random } from '../../torture/random.ts'
import { Broken, refused } from '../../torture/room-book.ts'
import { RoomClient } from '../../torture/room-client.ts'
import { type Area, Guest } from './guest.ts'

/** Guests compete for the free rooms, so two of them often want the same one. */
const guests = 6
export const rooms = 9
const readers = 2
const list = '/v1/facilities/f/areas'

/** The kill comes after this many acknowledged steps, and within this many milliseconds. */
const fewest = 6
const most = 40
const afterwardsMs = 8

/** One database with one or more nodes, of which one is killed again and again while guests move. */
export class Lane {
  kills = 0
  reads = 0
  guests: Guest[] = []
  readonly #run: Run
  readonly #database: RoomsDatabase
  readonly #random: Random
  readonly #clients: RoomClient[]
  readonly #nodes: (AtriumNode | undefined)[]
  readonly #rooms = Array.from({ length: rooms }, (_, n) => `f-${n}`)
  #isOn = false

  constructor(run: Run, database: RoomsDatabase, random: Random, nodes: number) {
    this.#run = run
    this.#database = database
    this.#random = random
    this.#nodes = Array.from({ length: nodes }, () => undefined)
    this.#clients = Array.from({ length: guests + readers }, () => new RoomClient(database.token))
  }

  /** Runs all kills, or stops at the first violation. */
  async run(killed: () => void): Promise<Violation[]> {
    const { count, signal } = this.#run
    try {
      await this.#start()
      await this.#arrive()
      while (this.kills < count && !signal.aborted) {
        await this.#life()
        killed()
        await this.#start()
        for (const { url } of this.#running()) await this.#look(this.#clients[0] as RoomClient, url, true)
      }
      return []
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      return [error.violation]
    }
  }

  async close(): Promise<void> {
    this.#isOn = false
    await Promise.all(this.#running().map((node) => node.end('SIGKILL')))
    for (const client of this.#clients) client.close()
    await this.#database.drop()
  }

  /** Starts the nodes that do not run. */
  async #start(): Promise<void> {
    const settings = { ATRIUM_DATABASE: this.#database.url, ATRIUM_LOG: 'warn' }
    const starting = this.#nodes.map(async (node, at) => {
      this.#nodes[at] = node ?? (await startNode(this.#run.build, { settings }))
    })
    await Promise.all(starting)
  }

  async #arrive(): Promise<void> {
    const [{ url }] = this.#running() as [AtriumNode]
    for (const room of this.#rooms.slice(0, guests)) {
      const answer = await this.#clients[0]?.ask(url, 'POST', `/v1/areas/${room}/`)
      if (answer?.status !== 200) throw refused(`a room could not be opened: ${answer?.status}`)
      this.guests.push(new Guest(room, answer.body.area.cycle))
    }
  }

  /** Lets guests move through all nodes, and kills one of them meanwhile. */
  async #life(): Promise<void> {
    const goal = this.#acknowledged() + fewest + this.#random.below(most - fewest)
    this.#isOn = true
    const working = Promise.all([
      ...this.guests.map((guest, n) => this.#move(guest, n)),
      ...this.#clients.slice(guests).map((client) => this.#watch(client)),
    ])
    const reached = this.#until(goal)
    await Promise.race([reached, working])
    await sleep(this.#random.below(afterwardsMs))
    const at = this.#random.below(this.#nodes.length)
    await this.#nodes[at]?.end('SIGKILL')
    this.#nodes[at] = undefined
    this.kills++
    // The other node goes on with what the killed one has left.
    if (this.#running().length > 0) await Promise.race([this.#until(this.#acknowledged() + fewest), working])
    this.#isOn = false
    await Promise.all([working, reached])
  }

  async #until(goal: number): Promise<void> {
    while (this.#isOn && this.#acknowledged() < goal) await sleep(2)
  }

  async #move(guest: Guest, n: number): Promise<void> {
    const random = this.#random.branch()
    while (this.#isOn) {
      const node = this.#anyNode(random)
      const answer = node && (await guest.step(this.#clients[n] as RoomClient, node.url, this.#rooms, random))
      if (answer?.status !== 200) await sleep(5)
    }
  }

  async #watch(client: RoomClient): Promise<void> {
    const random = this.#random.branch()
    while (this.#isOn) {
      const node = this.#anyNode(random)
      if (node !== undefined) await this.#look(client, node.url, false)
      await sleep(1)
    }
  }

  /** Reads all rooms at once. `isQuiet` means that no guest moves meanwhile. */
  async #look(client: RoomClient, url: string, isQuiet: boolean): Promise<void> {
    const answer = await client.ask(url, 'GET', list)
    if (answer === undefined || answer.status === 503) return
    if (answer.status !== 200) throw refused(`${list} returned ${answer.status}`)
    this.reads++
    const areas = answer.body as Area[]
    const left = areas.find(({ cycle, data_services: services }) => cycle === null && services.length > 0)
    const wrong = left
      ? `the closed room ${left.id_external} shows services`
      : this.guests.map((guest) => guest.judge(areas, isQuiet)).find((found) => found !== undefined)
    if (wrong === undefined) return
    const history = areas.map(
      ({ id_external: id, ...area }) => `${id}: ${area.cycle} ${JSON.stringify(area.data_services)}`,
    )
    throw new Broken('lost', { what: `${wrong} after ${this.kills} kills`, history })
  }

  #running(): AtriumNode[] {
    return this.#nodes.filter((node) => node !== undefined)
  }

  #anyNode(random: Random): AtriumNode | undefined {
    const running = this.#running()
    return running.length === 0 ? undefined : random.pick(running)
  }

  #acknowledged(): number {
    return this.guests.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  }
}
