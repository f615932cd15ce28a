import { createToken, type IssuedToken } from '../../../src/operations/access/token.ts'
import { type Db, databaseFile, openDatabase } from '../../../src/storage/database.ts'
import type { Engine } from '../../harness/databases.ts'
import { databaseWithRooms, type RoomsDatabase } from '../../torture/database.ts'
import { type AtriumNode, startNode } from '../../torture/node.ts'
import { RoomBook } from '../../torture/room-book.ts'
import { RoomClient } from '../../torture/room-client.ts'
import { Clock } from './clock.ts'

const rooms = 6

export interface ClockedNode extends AtriumNode {
  clock: Clock
}

/** Nodes on one database, each with a clock of its own: one on SQLite, two on PostgreSQL. */
export class Lane {
  readonly books = Array.from({ length: rooms }, (_, n) => new RoomBook(`f-${n}`))
  /** A room for requests that are repeated after the clock was set. */
  readonly onceRoom = `f-${rooms}`
  readonly writers: RoomClient[]
  readonly client: RoomClient
  /** The creator of each id, to find an id that was created twice. */
  readonly ids = new Map<string, string>()
  /** The cycles of each room, in the order in which they began. */
  readonly cycles = new Map<string, string[]>()
  readonly nodes: ClockedNode[]
  readonly db: Db
  readonly database: RoomsDatabase
  /** The expiry of a token: half an hour after the start. */
  readonly ending: IssuedToken

  static async open(build: string, engine: Engine): Promise<Lane> {
    const database = await databaseWithRooms(engine, rooms + 1)
    const db = openDatabase(database.url)
    const expiresAt = new Date(Date.now() + 1_800_000).toISOString()
    const ending = await createToken(db, { partner: 'all', name: 'ending', expiresAt, allowedRanges: [] })
    const nodes = await Promise.all(
      Array.from({ length: engine === 'sqlite' ? 1 : 2 }, async () => {
        const clock = new Clock()
        const settings = { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'warn', ...clock.settings }
        return { ...(await startNode(build, { settings })), clock }
      }),
    )
    return new Lane(database, db, nodes, ending as IssuedToken)
  }

  private constructor(database: RoomsDatabase, db: Db, nodes: ClockedNode[], ending: IssuedToken) {
    this.database = database
    this.db = db
    this.nodes = nodes
    this.ending = ending
    this.client = new RoomClient(database.token)
    this.writers = this.books.map(() => new RoomClient(database.token))
  }

  /** SQLite has one node. */
  get file(): string | undefined {
    return databaseFile(this.database.url)
  }

  async close(): Promise<void> {
    for (const node of this.nodes) {
      await node.end('SIGKILL')
      node.clock.remove()
    }
    for (const client of [this.client, ...this.writers]) client.close()
    await this.db.close()
    await this.database.drop()
  }
}
