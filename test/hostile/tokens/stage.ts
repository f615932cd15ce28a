import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Operations from '../../../src/operations/access/token.ts'
import type { IssuedToken } from '../../../src/operations/access/token.ts'
import type * as Storage from '../../../src/storage/database.ts'
import { type Engine, migratedDatabase } from '../../harness/databases.ts'
import { fill } from '../../torture/fill.ts'
import { Line } from '../../torture/line.ts'
import { type AtriumNode, startNode } from '../../torture/node.ts'
import { type Tap, tapInto } from './tap.ts'

const estate = {
  facilities: [{ id_external: 'f', name: 'F' }],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

/** A node of the build with its database, and the build's own commands to create and revoke tokens. */
export interface Stage {
  engine: Engine
  databaseUrl: string
  node: AtriumNode
  /** Observes the node's queries; undefined for SQLite, where they cannot be observed. */
  tap: Tap | undefined
  issue(): Promise<IssuedToken>
  revoke(id: string): Promise<unknown>
  /** Returns the status of a request with this token, and its Retry-After in seconds. */
  ask(secret: string, address: string, method?: 'GET' | 'PATCH'): Promise<{ status: number; retryAfter: string }>
  end(): Promise<void>
}

export async function setUp(build: string, engine: Engine): Promise<Stage> {
  const database = await migratedDatabase(engine)
  await fill(database.url, estate)
  const tap = engine === 'postgres' ? await tapInto(database.url) : undefined
  // With a trusted proxy, so that requests can come from any address, and the default limit.
  const place = { ATRIUM_DATABASE: tap?.url ?? database.url, ATRIUM_TRUSTED_PROXIES: '127.0.0.0/8' }
  const settings = { ...place, ATRIUM_WRONG_TOKEN_LIMIT: '' }
  const node = await startNode(build, { settings })
  const { createToken, revokeToken } = await load<typeof Operations>(build, 'src/operations/access/token.ts')
  const { openDatabase } = await load<typeof Storage>(build, 'src/storage/database.ts')
  const db = openDatabase(database.url)
  const line = new Line(node.url)
  return {
    engine,
    databaseUrl: database.url,
    node,
    tap,
    issue: async () => {
      const order = { partner: 'p', name: 'x', expiresAt: null, allowedRanges: [] }
      return (await createToken(db, order)) as IssuedToken
    },
    revoke: (id) => revokeToken(db, id),
    ask: async (secret, address, method = 'GET') => {
      const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': address }
      const path = method === 'GET' ? '/v1/facilities/f' : '/v1/facilities/f/name'
      const answer = await line.ask({ method, path, headers, ...(method === 'PATCH' && { body: { value: 'F' } }) })
      return { status: answer?.status ?? 0, retryAfter: answer?.headers['retry-after'] ?? '' }
    },
    end: async () => {
      line.cut()
      await node.end()
      tap?.close()
      await db.close()
      await database.drop()
    },
  }
}

function load<T>(build: string, file: string): Promise<T> {
  return import(pathToFileURL(join(build, file)).href)
}
