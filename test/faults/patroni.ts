import { startHaProxy } from '../harness/haproxy.ts'
import { until } from '../harness/workers.ts'
import { roomsEstate } from '../torture/database.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { type Wrong, wrongs } from '../torture/ledger.ts'
import { type AtriumNode, startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { Broken, refused } from '../torture/room-book.ts'
import { RoomClient } from '../torture/room-client.ts'
import { Load, rooms } from '../torture/room-load.ts'
import { standbyIsTaken } from './failover.ts'
import { PatroniCluster } from './patroni/cluster.ts'
import { type Event, events } from './patroni/events.ts'
import { Moments } from './patroni/moments.ts'

const planted: Planted[] = [
  standbyIsTaken,
  {
    name: 'the primary is looked for now and then only',
    file: 'src/storage/postgres/primary.ts',
    find: 'const tryEveryMs = 200',
    replace: 'const tryEveryMs = 15_000',
  },
]

export const patroni: Harness = {
  name: 'patroni',
  promises: [22],
  title: 'two nodes behind HAProxy find the primary again among three servers under Patroni',
  unit: 'events',
  target: 'lost 0, wrong 0; each responds again within 2 s of a primary that takes writes',
  counts: { planted: 3, test: 8, torture: 24 },
  planted,
  run,
}

const withinMs = 2000
/** A node that has not found the primary after this time counts as failed. */
const foundWithinMs = 30_000
const writesBefore = 40

interface Course {
  backMs: number[]
  wrong: Wrong[]
  violations: Violation[]
}

/** All ways by which partners reach a node, by name. */
type Addresses = Record<string, string>

async function run(run: Run): Promise<Outcome> {
  const cluster = await PatroniCluster.start()
  const nodes: AtriumNode[] = []
  const course: Course = { backMs: [], wrong: [], violations: [] }
  let balancer: Awaited<ReturnType<typeof startHaProxy>> | undefined
  try {
    const { all = '' } = await fill(await cluster.primaryUrl(), roomsEstate(rooms))
    const settings = { ATRIUM_DATABASE: cluster.url, ATRIUM_LOG: 'fatal' }
    for (const _ of ['one', 'two']) nodes.push(await started(run.build, settings))
    const [one = '', two = ''] = nodes.map(({ url }) => url)
    balancer = await startHaProxy([one, two].map((url) => new URL(url).port))
    const addresses = { HAProxy: balancer.url, 'node 1': one, 'node 2': two }
    const load = new Load(Object.values(addresses), all, new Random(run.seed))
    await underLoad(run, cluster, load, { addresses, token: all, course })
    load.close()
    course.violations.push(...lateness(course.backMs))
    return { figures: figuresOf(load, course), violations: course.violations }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    return { figures: {}, violations: [error.violation] }
  } finally {
    await balancer?.end()
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await cluster.stop()
  }
}

function started(build: string, settings: Record<string, string>): Promise<AtriumNode> {
  return startNode(build, { settings }).catch((error) => {
    throw refused('a node did not start beside a primary and its standbys', error.message.split('\n'))
  })
}

interface Watched {
  addresses: Addresses
  token: string
  course: Course
}

/** Runs one event after the other, and stops at the first violation. */
async function underLoad(run: Run, cluster: PatroniCluster, load: Load, watched: Watched): Promise<void> {
  const kinds = Object.entries(events)
  try {
    for (let done = 0; done < run.count && !run.signal.aborted; run.progress(++done)) {
      const [what, event] = kinds[done % kinds.length] as [string, Event]
      await oneEvent(cluster, load, { ...watched, event, when: `after event ${done + 1}, ${what}` })
    }
  } catch (error) {
    await load.end().catch(() => {})
    if (!(error instanceof Broken)) throw error
    const { what, history } = error.violation
    watched.course.wrong.push(error.wrong)
    watched.course.violations.push({ what, history: [...history, ...(await cluster.describe(what))] })
  }
}

interface Happening extends Watched {
  event: Event
  when: string
}

async function oneEvent(cluster: PatroniCluster, load: Load, happening: Happening): Promise<void> {
  const { addresses, token, event, when, course } = happening
  await cluster.untilWhole()
  const writing = load.begin()
  await load.untilWritten(writesBefore, when)
  const servers = cluster.members.map((member) => new Moments(() => member.takesWrites()))
  const watched = Object.entries(addresses).map(([name, url]) => ({ name, moments: new Moments(writer(url, token)) }))
  try {
    const happened = event(cluster, await cluster.leader())
    const heal = await Promise.race([happened, writing.then(() => undefined)])
    await until('a primary takes writes again', async () => servers.some(({ isWorking }) => isWorking))
    for (const { name, moments } of watched) {
      const isBack = async () => moments.isWorking
      await until(name, isBack, foundWithinMs).catch(() => {
        throw refused(`${name} did not find the primary ${when}`)
      })
    }
    heal?.()
    await Promise.race([cluster.untilWhole(), writing])
  } finally {
    await Promise.all([...servers, ...watched.map(({ moments }) => moments)].map((one) => one.end()))
  }
  await load.untilWritten(writesBefore, when)
  await load.end()
  await load.compare(when)
  const primaryAtMs = Math.max(...servers.map(({ backAtMs = 0 }) => backAtMs))
  if (primaryAtMs === 0) throw new Error(`no outage was seen ${when}`)
  for (const { moments } of watched) {
    course.backMs.push(Math.max(0, (moments.backAtMs ?? 0) - primaryAtMs))
  }
}

/** One of them can be late because the machine has other things to do; half of them are so by themselves. */
function lateness(backMs: number[]): Violation[] {
  const late = backMs.filter((ms) => ms > withinMs)
  if (late.length * 2 <= backMs.length) return []
  const what = `writes were taken again more than ${withinMs} ms after PostgreSQL took them`
  return [{ what, history: [`${late.length} of ${backMs.length} times, up to ${Math.round(Math.max(...late))} ms`] }]
}

/** Changes something else than the load does. */
function writer(url: string, token: string): () => Promise<boolean> {
  const client = new RoomClient(token)
  let turn = 0
  return async () => {
    const body = { value: `Name ${turn++ % 2}` }
    return (await client.ask(url, 'PATCH', '/v1/facilities/f/name', { body }))?.status === 200
  }
}

function figuresOf(load: Load, { backMs, wrong }: Course): Outcome['figures'] {
  return {
    acknowledged: load.acknowledged,
    unavailable: load.unavailable,
    'back in 2 s': backMs.filter((ms) => ms <= withinMs).length,
    'slowest back (ms)': Math.round(Math.max(0, ...backMs)),
    ...Object.fromEntries(wrongs.map((kind) => [kind, wrong.filter((one) => one === kind).length])),
  }
}
