import type { Engine } from '../../harness/databases.ts'
import { roomsEstate } from '../../torture/database.ts'
import { fill } from '../../torture/fill.ts'
import { type AtriumNode, startNode } from '../../torture/node.ts'
import { RoomBook } from '../../torture/room-book.ts'
import { RoomClient } from '../../torture/room-client.ts'
import { type Fault, faultsOf, faultyCalls } from './faults.ts'
import { databaseOn, type PlacedDatabase } from './place.ts'
import { mountVolume, type Volume } from './volume.ts'

const rooms = 6

/** A node on a disk that can be made to fail, with clients that write one room each, and one that reads. */
export class Lane {
  /** How many responses were 503. */
  unavailable = 0
  readonly faults: Fault[]
  readonly books = Array.from({ length: rooms }, (_, n) => new RoomBook(`f-${n}`))
  readonly reader: RoomClient
  readonly #writers: RoomClient[]
  readonly #build: string
  readonly #engine: Engine
  readonly #volume: Volume
  readonly #database: PlacedDatabase
  #node: AtriumNode | undefined

  static async open(build: string, engine: Engine): Promise<Lane> {
    const volume = mountVolume()
    const database = await databaseOn(volume, engine)
    const { all = '' } = await fill(database.url, roomsEstate(rooms))
    return new Lane(build, engine, volume, database, all)
  }

  private constructor(build: string, engine: Engine, volume: Volume, database: PlacedDatabase, token: string) {
    this.#build = build
    this.#engine = engine
    this.#volume = volume
    this.#database = database
    this.faults = faultsOf(engine, volume)
    this.reader = new RoomClient(token)
    this.#writers = this.books.map(() => new RoomClient(token))
  }

  /** Returns the node, and starts it if it is not running. */
  async node(): Promise<AtriumNode> {
    const settings = { ATRIUM_DATABASE: this.#database.url, ATRIUM_LOG: 'warn' }
    const under = this.#engine === 'sqlite' ? faultyCalls(this.#volume) : []
    this.#node ??= await startNode(this.#build, { settings, under })
    return this.#node
  }

  /** Kills the node, if it is running. */
  async kill(): Promise<void> {
    await this.#node?.end('SIGKILL')
    this.#node = undefined
  }

  /** Runs all writers concurrently. */
  async each(work: (book: RoomBook, writer: RoomClient) => Promise<void>): Promise<void> {
    await Promise.all(this.books.map((book, n) => work(book, this.#writers[n] as RoomClient)))
  }

  async close(): Promise<void> {
    await this.kill()
    for (const client of [this.reader, ...this.#writers]) client.close()
    this.#volume.free()
    await this.#database.drop()
    this.#volume.remove()
  }
}
