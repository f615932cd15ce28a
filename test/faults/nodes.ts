import { withDb } from '../harness/with-db.ts'
import { startBalancer } from '../torture/balancer.ts'
import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { install } from '../torture/installation.ts'
import { Random } from '../torture/random.ts'
import { changes, type Kind, kinds } from './nodes/changes.ts'
import { estateFor, laneAt, type Scene } from './nodes/lane.ts'

const planted: Planted[] = [
  {
    name: 'now and then a node responds without revalidating its cache',
    file: 'src/cache/freshness.ts',
    find: 'if (this.#next !== undefined) return this.#next',
    replace: 'if (this.#next !== undefined || Math.random() < 0.05) return this.#next',
  },
]

export const nodes: Harness = {
  name: 'nodes',
  promises: [7],
  title: 'what one of four nodes has acknowledged, every other knows in its very next request',
  unit: 'changes',
  target: 'stale 0, by kind of change: rename, reset, revocation, grant',
  counts: { planted: 1000, test: 25, torture: 3000 },
  planted,
  run,
}

const nodesAtOnce = 4
const lanesAtOnce = 3

async function run(run: Run): Promise<Outcome> {
  const layout = { name: 'four nodes on PostgreSQL', engine: 'postgres', nodes: nodesAtOnce } as const
  const installation = await install(run.build, layout, estateFor(lanesAtOnce))
  const urls = installation.nodes.map(({ url }) => url)
  const balancer = await startBalancer(urls)
  try {
    return await withDb(installation.databaseUrl, (operator) => {
      const scene = { balancer: balancer.url, nodes: urls, operator, token: installation.tokens.all as string }
      return allLanes(run, scene)
    })
  } finally {
    await balancer.close()
    await installation.stop()
  }
}

async function allLanes(run: Run, scene: Scene): Promise<Outcome> {
  const random = new Random(run.seed)
  const done = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>
  const violations: Violation[] = []
  let begun = 0
  const work = async (lane: number) => {
    const place = laneAt(scene, lane, random.branch())
    while (begun++ < run.count && violations.length === 0 && !run.signal.aborted) {
      const kind = place.random.pick(kinds)
      const violation = await changes[kind](place)
      if (violation) violations.push(violation)
      done[kind]++
      run.progress(Math.min(begun, run.count))
    }
    place.end()
  }
  await Promise.all(Array.from({ length: lanesAtOnce }, (_, lane) => work(lane)))
  const reads = Object.values(done).reduce((sum, count) => sum + count, 0) * scene.nodes.length
  return { figures: { ...done, reads, stale: violations.length }, violations }
}
