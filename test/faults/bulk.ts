import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../harness/databases.ts'
import { databaseWithRooms } from '../torture/database.ts'
import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { type AtriumNode, startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { RoomClient } from '../torture/room-client.ts'
import { readAll, roomsInWard, Torn, Ward } from './bulk/ward.ts'

const planted: Planted[] = [
  {
    name: 'the operations of one call are committed one by one',
    file: 'src/operations/room/bulk.ts',
    find: "return order.mode === 'each' ? changeEach(db, caller, call) : changeAll(db, caller, call)",
    replace: 'return changeEach(db, caller, call)',
  },
  {
    name: 'what came before a failure is committed',
    file: 'src/operations/room/bulk.ts',
    find: 'if (result instanceof Refusal) throw new Undone(from + at, result)',
    replace: 'if (result instanceof Refusal) return done as T[]',
  },
]

export const bulk: Harness = {
  name: 'bulk',
  promises: [1],
  title: 'a call that changes many rooms with the mode "all" is all or nothing through kills',
  unit: 'kills',
  target: 'torn, lost, doubled 0',
  counts: { planted: 30, test: 6, torture: 150 },
  planted,
  run,
}

const wardsInLane = 4
/** Of two nodes one is killed at a time, so that the other goes on. */
const layouts: { engine: Engine; nodes: number }[] = [
  { engine: 'sqlite', nodes: 1 },
  { engine: 'postgres', nodes: 2 },
]
/** A kill comes after this many responses, and then within this many milliseconds. */
const fewest = 4
const most = 24
const afterwardsMs = 12

interface Lane {
  wards: Ward[]
  kills: number
}

async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const lanes = layouts.map(
    (): Lane => ({ wards: Array.from({ length: wardsInLane }, (_, n) => new Ward(n)), kills: 0 }),
  )
  const stopped = new AbortController()
  const signal = AbortSignal.any([run.signal, stopped.signal])
  const killed = () => run.progress(lanes.reduce((sum, { kills }) => sum + kills, 0))
  const works = lanes.map(async (lane, at): Promise<Violation[]> => {
    const share = Math.ceil(run.count / lanes.length)
    const violations = await work({ ...run, signal, count: share }, lane, at, random.branch(), killed)
    if (violations.length > 0) stopped.abort()
    return violations
  })
  const violations = (await Promise.all(works)).flat()
  const sum = (figure: 'acknowledged' | 'refused' | 'retried') =>
    lanes.flatMap(({ wards }) => wards).reduce((total, ward) => total + ward[figure], 0)
  const kills = lanes.reduce((total, lane) => total + lane.kills, 0)
  const figures = { kills, acknowledged: sum('acknowledged'), refused: sum('refused'), retried: sum('retried') }
  return { figures: { ...figures, torn: violations.length }, violations }
}

async function work(
  { build, count, signal }: Run,
  lane: Lane,
  at: number,
  random: Random,
  killed: () => void,
): Promise<Violation[]> {
  const layout = layouts[at] as (typeof layouts)[number]
  const database = await databaseWithRooms(layout.engine, wardsInLane * roomsInWard)
  const options = { settings: { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'warn' } }
  // One for each ward, and a reader.
  const clients = Array.from({ length: wardsInLane + 1 }, () => new RoomClient(database.token))
  const nodes: AtriumNode[] = []
  try {
    for (let n = 0; n < layout.nodes; n++) nodes.push(await startNode(build, options))
    while (lane.kills < count && !signal.aborted) {
      await untilKill(lane, clients, nodes, random)
      const [survivor = await startNode(build, options)] = nodes.filter(({ child }) => child.signalCode === null)
      await settle(lane, clients, survivor.url, random)
      for (const [n, { child }] of nodes.entries()) {
        if (child.signalCode !== null) nodes[n] = layout.nodes === 1 ? survivor : await startNode(build, options)
      }
      killed()
    }
    return []
  } catch (error) {
    if (!(error instanceof Torn)) throw error
    const { what, history } = error.violation
    return [{ what: `${layout.engine}, after ${lane.kills} kills: ${what}`, history }]
  } finally {
    for (const client of clients) client.close()
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await database.drop()
  }
}

/** Lets every client change its ward through any node, and kills one of the nodes meanwhile. */
async function untilKill(lane: Lane, clients: RoomClient[], nodes: AtriumNode[], random: Random): Promise<void> {
  const { promise: isTime, resolve } = Promise.withResolvers<void>()
  const victim = random.pick(nodes)
  let left = fewest + random.below(most - fewest)
  const works = lane.wards.map(async (ward, n) => {
    const own = random.branch()
    while (victim.child.signalCode === null) {
      const answer = await ward.change(clients[n] as RoomClient, own.pick(nodes).url, own)
      if (answer === undefined) return
      if (--left === 0) resolve()
      if (answer.status !== 200) await sleep(5)
    }
  })
  const ended = Promise.all([...works, readUntilKilled(lane, clients.at(-1) as RoomClient, victim)])
  await Promise.race([isTime, ended])
  await sleep(random.below(afterwardsMs))
  await victim.end('SIGKILL')
  lane.kills++
  await ended
}

/** Checks that no read shows a call by half while it is carried out. */
async function readUntilKilled({ wards }: Lane, client: RoomClient, { url, child }: AtriumNode): Promise<void> {
  while (child.signalCode === null) {
    const areas = await readAll(client, url)
    if (areas === undefined) return
    for (const ward of wards) ward.codeIn(areas, 'meanwhile')
  }
}

const settledWithinMs = 30_000

/** Checks that calls without a response took effect in all rooms or in none, repeats them, and checks again. */
async function settle(lane: Lane, clients: RoomClient[], url: string, random: Random): Promise<void> {
  await compare(lane, clients, url, 'after the kill')
  const endMs = performance.now() + settledWithinMs
  for (const [n, ward] of lane.wards.entries()) {
    // PostgreSQL may still be executing statements of the killed node.
    while ((await ward.change(clients[n] as RoomClient, url, random))?.status !== 200) {
      if (performance.now() > endMs) throw new Torn('a call was refused for too long', [])
      await sleep(20)
    }
  }
  await compare(lane, clients, url, 'after the retries')
}

async function compare({ wards }: Lane, clients: RoomClient[], url: string, when: string): Promise<void> {
  const areas = await readAll(clients.at(-1) as RoomClient, url)
  if (areas === undefined) throw new Torn(`the rooms could not be read ${when}`, [])
  for (const ward of wards) ward.compare(areas, when)
}
