import { after, before, describe } from 'node:test'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { type Asked, startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { type Engine, engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { estate as standardEstate } from '../harness/estate.ts'

/** Two nodes on one database, a third one without a cache, and the database as the command line opens it. */
export interface Nodes {
  engine: Engine
  database: FreshDatabase
  a: TestAtrium
  b: TestAtrium
  /** A node without a cache, whose responses are always current. */
  bare: TestAtrium
  operator: Db
  stop(): Promise<void>
}

export async function startNodes(engine: Engine, estate: object = standardEstate): Promise<Nodes> {
  const database = await migratedDatabase(engine)
  const a = await startAtrium(engine, { database, estate, seeded: true })
  const b = await startAtrium(engine, { database, estate })
  const bare = await startAtrium(engine, { database, estate, settings: { ATRIUM_MEMORY_BYTES: '0' } })
  // Each partner uses the same token on all nodes.
  for (const node of [b, bare]) Object.assign(node.tokens, a.tokens)
  const operator = openDatabase(database.url)
  const stop = async () => {
    await Promise.all([a.stop(), b.stop(), bare.stop(), operator.close()])
    await database.drop()
  }
  return { engine, database, a, b, bare, operator, stop }
}

/** Runs a suite on each engine. */
export function onNodes(title: string, estate: object, suite: (nodes: () => Nodes) => void): void {
  for (const engine of engines) {
    describe(`${title} (${engine})`, () => {
      let nodes: Nodes | undefined
      before(async () => {
        nodes = await startNodes(engine, estate)
      })
      after(() => nodes?.stop())
      suite(() => nodes as Nodes)
    })
  }
}

/** A read and the partner that sends it. */
export interface View extends Asked {
  as: string
  request: string
}

export interface Sight {
  status: number
  text: string
  etag: string | null
}

export const nameOf = ({ as, request }: View) => `${as}: ${request}`

/** Returns a response without headers that differ from request to request. */
export async function see(node: TestAtrium, { request, ...asked }: View): Promise<Sight> {
  const { status, text, headers, body } = await node.ask(request, asked)
  const said = status < 400 ? text : `${body.code} ${JSON.stringify(body.required)}`
  return { status, text: said, etag: headers.get('etag') }
}

export async function seeAll(node: TestAtrium, views: View[]): Promise<Map<string, Sight>> {
  return new Map(await Promise.all(views.map(async (view) => [nameOf(view), await see(node, view)] as const)))
}
