import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.ts'
import { compareRooms, RoomBook, readRoom, refused } from './room-book.ts'
import { type Answer, RoomClient } from './room-client.ts'

const clients = 8
const roomsEach = 2
export const rooms = clients * roomsEach
const pauseMs = 25
const readsOfAll = 0.3
/** What every node has in its cache after it was read once. */
const remembered = ['/v1/facilities/f', '/v1/facilities', '/v1/facilities/f/areas']
const backWithinMs = 30_000

/** Clients with idempotency keys that read and write through all nodes, and know what each of their rooms must hold. */
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

  /** Runs until it is stopped, or a violation is found. */
  begin(): Promise<unknown> {
    this.#isOn = true
    this.#writing = Promise.all(this.#clients.map((client, n) => this.#work(client, n)))
    // Stopping it rethrows its error.
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

  /** A node that only serves reads does not count as recovered. */
  async untilWritten(count: number, when: string): Promise<void> {
    const goal = this.acknowledged + count
    const begin = performance.now()
    while (this.acknowledged < goal) {
      if (performance.now() - begin > backWithinMs) throw refused(`nothing could be written ${when}`)
      await Promise.race([sleep(5), this.#writing])
    }
  }

  /** Checks that every node returns what any of them has acknowledged. */
  async compare(when: string): Promise<void> {
    for (const node of this.#nodes) await compareRooms(this.books, this.#clients[0] as RoomClient, node, when)
  }

  /** Reads the cached data from every node while the database is away; all must refuse. */
  async askWithoutDatabase(when: string): Promise<void> {
    for (const node of this.#nodes) {
      for (const path of remembered) {
        const answer = await this.#read(node, path)
        if (answer?.status === 503) this.#check(answer, path)
        else throw refused(`${path} returned ${answer?.status} ${when}, while there was no database`)
      }
    }
  }

  /** The milliseconds until every node is ready and has returned the cached data. */
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
      const book = random.pick(own)
      const node = random.pick(this.#nodes)
      const isRead = random.fraction() < readsOfAll
      const answer = await (isRead ? readRoom(book, client, node) : book.write(client, node, random))
      if (answer?.status === 200) continue
      this.#check(answer, isRead ? 'a read' : 'a write')
      await sleep(pauseMs)
    }
  }

  #check(answer: Answer | undefined, what: string): void {
    if (answer === undefined) throw refused(`${what} got no response: the connection to the node broke`)
    if (answer.status !== 503) return
    this.unavailable++
    if (answer.headers['retry-after'] === undefined) throw refused(`${what} returned 503 without Retry-After`)
  }
}
