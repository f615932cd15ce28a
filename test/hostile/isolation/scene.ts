import { type Engine, type FreshDatabase, migratedDatabase } from '../../harness/databases.ts'
import { fill } from '../../torture/fill.ts'
import { startNode } from '../../torture/node.ts'
import { Wire } from '../../torture/wire.ts'
import type { Wires } from './requests.ts'
import type { World } from './world.ts'

/** A database filled with a world, and the tokens of its partners. */
export interface Stage {
  engine: Engine
  database: FreshDatabase
  tokens: Record<string, string>
}

/** The build under test. */
export interface Scene {
  engine: Engine
  databaseUrl: string
  tokens: Record<string, string>
  wires: Wires
  end(): Promise<void>
}

export async function setStage(engine: Engine, { facilities, partners }: World): Promise<Stage> {
  const database = await migratedDatabase(engine)
  const estate = { facilities, partners }
  return { engine, database, tokens: await fill(database.url, estate) }
}

export async function openScene(build: string, { engine, database, tokens }: Stage): Promise<Scene> {
  const node = await startNode(build, { settings: { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent' } })
  const wires = { plain: new Wire(node.url), whole: new Wire(node.url) }
  const end = async () => {
    wires.plain.close()
    wires.whole.close()
    await node.end()
  }
  return { engine, databaseUrl: database.url, tokens, wires, end }
}
