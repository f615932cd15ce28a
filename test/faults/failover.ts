import { roomsEstate } from '../torture/database.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { type Wrong, wrongs } from '../torture/ledger.ts'
import { type AtriumNode, startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { Broken } from '../torture/room-book.ts'
import { Load, rooms } from '../torture/room-load.ts'
import { Cluster, type Outage } from './failover/cluster.ts'

export const standbyIsTaken: Planted = {
  name: 'a standby is as good as the primary',
  file: 'src/storage/postgres/connection.ts',
  find: '    if (!this.isBroken) this.#wire.emit',
  replace: `    if ((error as { code?: string }).code === readOnlyCode) return
  if (!this.isBroken) this.#wire.emit`,
}

const planted: Planted[] = [
  standbyIsTaken,
  {
    name: 'a node responds from its cache while the database is away',
    file: 'src/cache/freshness.ts',
    find: `        this.#apply('everything')
        throw error`,
    replace: '        void error',
  },
  {
    name: 'a commit without a reply of the database is acknowledged',
    file: 'src/storage/postgres/group-commit.ts',
    find: `  const [command] = await Promise.all([connection.command('commit'), ...changes])
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
  if (connection.isInDoubt) throw inDoubt()
`,
    replace: "  await Promise.all([connection.command('commit'), ...changes]).catch(() => {})\n",
  },
]

export const failover: Harness = {
  name: 'failover',
  promises: [7],
  title: 'PostgreSQL may restart or fail over under two nodes at work',
  unit: 'outages',
  target: 'lost 0, doubled 0, ghosts 0, only 503 with Retry-After, back in 5 s',
  counts: { planted: 40, test: 2, torture: 60 },
  planted,
  run,
}

const inTimeMs = 5000
const writesBefore = 40

interface Course {
  outages: Record<Outage, number>
  backMs: number[]
  wrong: Wrong[]
  violations: Violation[]
}

async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const cluster = await Cluster.start()
  const nodes: AtriumNode[] = []
  const course: Course = { outages: { restart: 0, failover: 0 }, backMs: [], wrong: [], violations: [] }
  try {
    const { all = '' } = await fill(cluster.url, roomsEstate(rooms))
    const settings = { ATRIUM_DATABASE: cluster.url, ATRIUM_LOG: 'fatal' }
    for (const _ of ['one', 'two']) nodes.push(await startNode(run.build, { settings }))
    const urls = nodes.map(({ url }) => url)
    const load = new Load(urls, all, random.branch())
    await underLoad(run, cluster, load, course)
    load.close()
    return { figures: figuresOf(load, course), violations: course.violations }
  } finally {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await cluster.stop()
  }
}

/** Runs one outage after the other, and stops at the first violation. */
async function underLoad(run: Run, cluster: Cluster, load: Load, course: Course): Promise<void> {
  try {
    for (let done = 0; done < run.count && !run.signal.aborted; run.progress(++done)) {
      const outage = done % 2 === 0 ? 'restart' : 'failover'
      course.backMs.push(await oneOutage(cluster, load, outage, `in outage ${done + 1}, a ${outage}`))
      course.outages[outage]++
    }
  } catch (error) {
    await load.end().catch(() => {})
    if (!(error instanceof Broken)) throw error
    course.wrong.push(error.wrong)
    course.violations.push(error.violation)
  }
}

async function oneOutage(cluster: Cluster, load: Load, outage: Outage, when: string): Promise<number> {
  await cluster.prepare()
  const writing = load.begin()
  await load.untilWritten(writesBefore, when)
  await load.untilBack(when)
  await cluster.begin(outage)
  await load.askWithoutDatabase(when)
  await cluster.end(outage)
  const backMs = await Promise.race([load.untilBack(when), writing.then(() => 0)])
  await load.untilWritten(writesBefore, when)
  await load.end()
  await load.compare(when)
  return backMs
}

function figuresOf(load: Load, { outages, backMs, wrong }: Course): Outcome['figures'] {
  const sum = (pick: (book: Load['books'][number]) => number) =>
    load.books.reduce((total, book) => total + pick(book), 0)
  return {
    restarts: outages.restart,
    failovers: outages.failover,
    acknowledged: load.acknowledged,
    unavailable: load.unavailable,
    retried: sum(({ retried }) => retried),
    replayed: sum(({ replayed }) => replayed),
    'back in 5 s': backMs.filter((ms) => ms <= inTimeMs).length,
    'slowest back (ms)': Math.round(Math.max(0, ...backMs)),
    ...Object.fromEntries(wrongs.map((kind) => [kind, wrong.filter((one) => one === kind).length])),
  }
}
