import { type Engine, migratedDatabase } from '../harness/databases.ts'
import { fill } from './fill.ts'
import { type AtriumNode, startNode } from './node.ts'
import { databaseWithStandby } from './standby-database.ts'

/** A way to run Atrium: a number of nodes on one database, each with a number of processes. */
export interface Layout {
  name: string
  engine: Engine
  nodes: number
  workers?: number
  /** Whether the database has a standby for long reads, which is disturbed all the time. */
  hasStandby?: boolean
  settings?: Record<string, string>
}

export const layouts = {
  twoNodes: { name: 'two nodes on PostgreSQL', engine: 'postgres', nodes: 2 },
  alone: { name: 'one node on SQLite', engine: 'sqlite', nodes: 1 },
  workers: { name: 'two workers on SQLite', engine: 'sqlite', nodes: 1, workers: 2 },
  standby: { name: 'two nodes on PostgreSQL with a standby', engine: 'postgres', nodes: 2, hasStandby: true },
} satisfies Record<string, Layout>

/** A running installation, with an estate in its database. */
export interface Installation {
  nodes: AtriumNode[]
  databaseUrl: string
  /** A token of each partner, by its id. */
  tokens: Record<string, string>
  stop(): Promise<void>
}

/** These sources apply the estate, whichever build is under test. */
export async function install(
  build: string,
  { engine, nodes: count, workers = 1, hasStandby = false, settings: own = {} }: Layout,
  estate: { facilities: object[]; partners: { id: string }[] },
): Promise<Installation> {
  const database = hasStandby ? await databaseWithStandby() : await migratedDatabase(engine)
  const nodes: AtriumNode[] = []
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await database.drop()
  }
  try {
    const tokens = await fill(database.url, estate)
    const replica = 'replicaUrl' in database ? { ATRIUM_DATABASE_REPLICA: database.replicaUrl } : {}
    const settings = { ATRIUM_DATABASE: database.url, ...replica, ATRIUM_LOG: 'warn', ...own }
    const args = workers > 1 ? ['--workers', String(workers)] : []
    const starting = Array.from({ length: count }, async () => nodes.push(await startNode(build, { settings, args })))
    await Promise.all(starting)
    return { nodes, databaseUrl: database.url, tokens, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
