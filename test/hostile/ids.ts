import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, migratedDatabase } from '../harness/databases.ts'
import { enginesFor } from '../torture/engines.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { Wire } from '../torture/wire.ts'
import { addBatch, type Estate, refusesCollision } from './ids/batch.ts'
import type { Rooms } from './ids/random-ids.ts'
import { type Reach, reachFacility, reachRoom } from './ids/reach.ts'

export const ids: Harness = {
  name: 'ids',
  promises: [10],
  title: 'ids mean one thing',
  unit: 'pairs',
  target: '0 wrong',
  counts: { planted: 200, test: 300, torture: 100_000 },
  planted: [
    {
      name: 'a full id is split at its last hyphen',
      file: 'src/storage/cached/facility.ts',
      find: 'return row && { facility: row.facility, isExact: row.is_exact === 1 }',
      replace: "return row && { facility: fullId.slice(0, fullId.lastIndexOf('-')), isExact: true }",
    },
    {
      name: 'paths are decoded twice',
      file: 'src/http/partner/context.ts',
      find: "const params = request.params as PartnerContext['params']",
      replace:
        'const params = JSON.parse(JSON.stringify(request.params).replace(/%[0-7][0-9a-f]/gi, decodeURIComponent))',
    },
    {
      name: 'a second meaning of a full id is not refused',
      file: 'src/operations/estate/apply-areas.ts',
      find: 'for (const collision of await insertAreas(tx, some)) refuse(context, pairs, collision)',
      replace: 'await insertAreas(tx, some)',
    },
  ],
  run,
}

const pairsPerBatch = 1000

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const engines = enginesFor({ build })
  const figures = { pairs: 0, collisions: 0 }
  const pairDone = () => progress(++figures.pairs)
  const collisionDone = () => figures.collisions++
  const work = engines.map((engine, index) =>
    onEngine(engine, {
      build,
      random: new Random(seed + index),
      count: count / engines.length,
      signal,
      pairDone,
      collisionDone,
    }),
  )
  const violations = (await Promise.all(work)).flat()
  return { figures: { ...figures, wrong: violations.length }, violations }
}

interface Task {
  build: string
  random: Random
  count: number
  signal: AbortSignal
  pairDone(): void
  collisionDone(): void
}

async function onEngine(engine: Engine, { build, random, ...task }: Task): Promise<Violation[]> {
  const database = await migratedDatabase(engine)
  const folder = mkdtempSync(join(tmpdir(), 'atrium-ids-'))
  const everything = { id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }
  const tokens = await fill(database.url, { partners: [everything] })
  const node = await startNode(build, { settings: { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent' } })
  const rooms: Rooms = { byFull: new Map(), byFacility: new Map() }
  const reach = { rooms, wire: new Wire(node.url), token: tokens.all as string, random }
  try {
    const wrong = await tryIds({ build, databaseUrl: database.url, folder, rooms }, reach, task)
    return wrong === undefined ? [] : [{ what: `(${engine}) ${wrong.slice(0, 500)}`, history: [wrong] }]
  } finally {
    reach.wire.close()
    await node.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryIds(
  estate: Estate,
  reach: Reach,
  { count, signal, pairDone, collisionDone }: Omit<Task, 'build' | 'random'>,
): Promise<string | undefined> {
  for (let done = 0; done < count && !signal.aborted; done += pairsPerBatch) {
    const added = await addBatch(estate, reach.random, Math.min(pairsPerBatch, count - done))
    for (const room of added) {
      const wrong = await reachRoom(reach, room)
      if (wrong !== undefined) return wrong
      pairDone()
    }
    for (const facility of new Set(added.map(({ facility }) => facility))) {
      const wrong = await reachFacility(reach, facility)
      if (wrong !== undefined) return wrong
    }
    const wrong = await refusesCollision(estate, reach.random)
    if (wrong !== undefined) return wrong
    collisionDone()
  }
  return undefined
}
