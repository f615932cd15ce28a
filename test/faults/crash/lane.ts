import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseFile } from '../../../src/storage/database.ts'
import type { RoomsDatabase } from '../../torture/database.ts'
import type { Run, Violation } from '../../torture/harness.ts'
import type { Wrong } from '../../torture/ledger.ts'
import { beginNode, startNode } from '../../torture/node.ts'
import type { Random } from '../../torture/random.ts'
import { Broken, compareRooms, RoomBook } from '../../torture/room-book.ts'
import { RoomClient } from '../../torture/room-client.ts'

const clients = 16
const roomsEach = 2
export const rooms = clients * roomsEach

/** The kill comes after this many acknowledged writes, and within this many milliseconds. */
const fewest = 16
const most = 60
const afterwardsMs = 8
/** How many nodes are killed during their start, possibly while they recover from the kill before. */
const killedEarly = 0.25
const startMs = 400

/** One database, and a sequence of nodes on it, each of which is killed. */
export class Lane {
  kills = 0
  wrong: Wrong[] = []
  isBroken = false
  readonly books = Array.from({ length: rooms }, (_, n) => new RoomBook(`f-${n}`))
  readonly #run: Run
  readonly #database: RoomsDatabase
  readonly #random: Random
  readonly #clients: RoomClient[]

  constructor(run: Run, database: RoomsDatabase, random: Random) {
    this.#run = run
    this.#database = database
    this.#random = random
    this.#clients = Array.from({ length: clients }, () => new RoomClient(database.token))
  }

  /** A node that stops in order stores its compiled code, which the killed ones then use. */
  async warmUp(): Promise<void> {
    const { end } = await startNode(this.#run.build, this.#options())
    await end()
  }

  /** Runs all kills, or stops at the first violation. */
  async run(killed: () => void): Promise<Violation[]> {
    const { count, signal } = this.#run
    try {
      while (this.kills < count && !signal.aborted) {
        await this.#life()
        killed()
      }
      await this.#settle()
      return this.#damage()
    } catch (error) {
      this.isBroken = true
      if (!(error instanceof Broken)) throw error
      this.wrong.push(error.wrong)
      return [error.violation]
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close()
    await this.#database.drop()
  }

  /** Starts a node, runs the load on it, and kills it. */
  async #life(): Promise<void> {
    const starting = beginNode(this.#run.build, this.#options())
    try {
      if (this.#random.chance(killedEarly)) return await sleep(this.#random.below(startMs))
      const { url } = await starting.ready
      await this.#compare(url)
      const { promise: isTime, resolve: done } = Promise.withResolvers<void>()
      let left = fewest + this.#random.below(most - fewest)
      const written = () => left-- === 0 && done()
      const ended = Promise.all(this.#clients.map((client, n) => this.#work(client, url, n, written)))
      await Promise.race([isTime, ended])
      await sleep(this.#random.below(afterwardsMs))
      await starting.end('SIGKILL')
      await ended
    } finally {
      await starting.end('SIGKILL')
      this.kills++
      for (const book of this.books) book.note(`kill ${this.kills}`)
    }
  }

  /** Repeats every request without a response, and then checks all rooms. */
  async #settle(): Promise<void> {
    const { url, end } = await startNode(this.#run.build, this.#options())
    try {
      await this.#compare(url)
      for (const book of this.books) await book.write(this.#clients[0] as RoomClient, url, this.#random)
      await this.#compare(url)
    } finally {
      await end()
    }
  }

  #options() {
    return { settings: { ATRIUM_DATABASE: this.#database.url, ATRIUM_LOG: 'warn' } }
  }

  /** Writes until the connection breaks. */
  async #work(client: RoomClient, url: string, n: number, written: () => void): Promise<void> {
    const own = this.books.slice(n * roomsEach, (n + 1) * roomsEach)
    const random = this.#random.branch()
    for (;;) {
      const answer = await random.pick(own).write(client, url, random)
      if (answer === undefined) return
      // PostgreSQL may still be executing statements of the killed node.
      if (answer.status === 200) written()
      else await sleep(20)
    }
  }

  async #compare(url: string): Promise<void> {
    await compareRooms(this.books, this.#clients[0] as RoomClient, url, `after ${this.kills} kills`)
  }

  #damage(): Violation[] {
    const path = databaseFile(this.#database.url)
    if (path === undefined) return []
    using database = new DatabaseSync(path)
    const found = ['integrity_check', 'foreign_key_check'].flatMap((check) => database.prepare(`pragma ${check}`).all())
    const lines = found.map((row) => Object.values(row).join(' ')).filter((line) => line !== 'ok')
    return lines.length === 0 ? [] : [{ what: `the file is damaged after ${this.kills} kills`, history: lines }]
  }
}
