import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../torture/random.ts'
import { compareRooms, RoomBook, refused } from '../../torture/room-book.ts'
import { type Answer, RoomClient } from '../../torture/room-client.ts'

const clients = 8
const roomsEach = 2
export const rooms = clients * roomsEach
const pauseMs = 25
/** What every node has at hand once it was asked for it. */
const remembered = ['/v1/facilities/f', '/v1/facilities', '/v1/facilities/f/areas']
export const backWithinMs = 60_000

/** Clients with keys that write through all nodes, and know what each of their rooms must hold. */
export class Load {
  readonly books = Array.from({ length: rooms }, (_, n) => new RoomBook(`f-${n}`))
  unavailable = 0
  #isOn = true
  #writing: Promise<unknown> = Promise.resolve()
  readonly #nodes: string[]
  readonly #random: Random
  readonly #clients: RoomClient[]

  constructor(nodes: string[], token: string, random: Random) {
    this.#nodes = nodes
    this.#random = random
    this.#clients = Array.from({ length: clients }, () => new RoomClient(token))
  }

  /** Until it is ended, or something is wrong. */
  begin(): Promise<unknown> {
    this.#isOn = true
    this.#writing = Promise.all(this.#clients.map((client, n) => this.#work(client, n)))
    // Whoever ends it hears of what went wrong.
    this.#writing.catch(() => {})
    return this.#writing
  }

  async end(): Promise<void> {
    this.#isOn = false
    await this.#writing
  }

  get acknowledged(): number {
    return this.books.reduce((sum, book) => sum + book.acknowledged, 0)
  }

  async untilWritten(count: number): Promise<void> {
    const goal = this.acknowledged + count
    while (this.acknowledged < goal) await Promise.race([sleep(5), this.#writing])
  }

  /** Every node holds what was acknowledged by any of them. */
  async compare(when: string): Promise<void> {
    for (const node of this.#nodes) await compareRooms(this.books, this.#clients[0] as RoomClient, node, when)
  }

  /** Asks every node for what all of them remember, at a time when there is nothing to remember it from. */
  async askWithoutDatabase(when: string): Promise<void> {
    for (const node of this.#nodes) {
      for (const path of remembered) {
        const answer = await this.#read(node, path)
        if (answer?.status === 503) this.#check(answer, path)
        else throw refused(`${path} was answered ${answer?.status} ${when}, while there was no database`)
      }
    }
  }

  /** The milliseconds until every node is ready and has answered what it then remembers. */
  async untilBack(when: string): Promise<number> {
    const begin = performance.now()
    for (const node of this.#nodes) {
      for (const path of ['/readyz', ...remembered]) {
        while (this.#isOn && (await this.#read(node, path))?.status !== 200) {
          if (performance.now() - begin > backWithinMs) throw refused(`a node did not come back ${when}`)
          await sleep(10)
        }
      }
    }
    return performance.now() - begin
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }

  #read(node: string, path: string): Promise<Answer | undefined> {
    return (this.#clients.at(-1) as RoomClient).ask(node, 'GET', path)
  }

  async #work(client: RoomClient, n: number): Promise<void> {
    const own = this.books.slice(n * roomsEach, (n + 1) * roomsEach)
    const random = this.#random.branch()
    while (this.#isOn) {
      const answer = await random.pick(own).write(client, random.pick(this.#nodes), random)
      if (answer?.status === 200) continue
      this.#check(answer, 'a write')
      await sleep(pauseMs)
    }
  }

  #check(answer: Answer | undefined, what: string): void {
    if (answer === undefined) throw refused(`${what} was not answered: the connection to the node broke`)
    if (answer.status !== 503) return
    this.unavailable++
    if (answer.headers['retry-after'] === undefined) throw refused(`${what} was answered 503 without Retry-After`)
  }
}
