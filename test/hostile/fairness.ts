import { type Engine, engines, migratedDatabase } from '../harness/databases.ts'
import { fill, storeContract } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { Line } from '../torture/line.ts'
import { startNode } from '../torture/node.ts'
import { type Flood, floodsOf, slowContract } from './fairness/floods.ts'
import { QuietPartner } from './fairness/quiet.ts'

const p99Ms = 250
/** With fewer requests, one pause of the machine decides the p99. */
const samplesForP99 = 500
const areas = Array.from({ length: 1000 }, (_, n) => ({ id: `${n}`, name: `Room ${n} with a name of ${n * 7919}` }))
const grants = [{ facilities: ['f'], read: '*', write: '*', rooms: '*' }]
const elsewhere = [{ ...grants[0], facilities: ['g'] }]
const estate = {
  facilities: [
    { id_external: 'f', name: 'F', room_services: true, areas },
    { id_external: 'g', name: 'G' },
  ],
  partners: [
    { id: 'quiet', name: 'Quiet', grants, contract: { properties: { note: { pattern: '^[a-z]*$' } } } },
    { id: 'slow', name: 'Slow', grants },
    { id: 'busy', name: 'Busy', grants: elsewhere },
    { id: 'follower', name: 'Follower', grants: elsewhere },
  ],
}

/** One thread in libuv's pool, so that a task in it certainly delays the next. */
const settings = { ATRIUM_TRUSTED_PROXIES: '127.0.0.1', ATRIUM_LOG: 'silent', UV_THREADPOOL_SIZE: '1' }

export const fairness: Harness = {
  name: 'fairness',
  promises: [25],
  title: 'partners do not slow one another',
  unit: 'rounds of floods',
  target: 'a quiet partner gets responses before the flood is processed; its p99 under 250 ms',
  counts: { planted: 2, test: 1, torture: 80 },
  planted: [
    {
      name: 'slow contracts share the thread of the others',
      file: 'src/http/threads/body-parser.ts',
      find: 'thread.run(partner, { body, rules }, {',
      replace: "this.#slow.run('all', { body, rules }, {",
    },
    {
      name: 'all partners wait in one queue',
      file: 'src/http/threads/worker-thread.ts',
      find: 'this.#pending.add(partner, {',
      replace: "this.#pending.add('all', {",
    },
    {
      name: 'passwords are hashed in the thread pool',
      file: 'src/operations/access/password-queue.ts',
      find: 'return runInThread<boolean>(script, { password, hash })',
      replace: `return import('node:crypto').then(({ scrypt }) => new Promise<boolean>((resolve) => {
    const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 28 }
    scrypt(password, hash, 32, cost, (_, key) => resolve(key.toString('base64url') === hash.split('$')[5]))
  }))`,
    },
    {
      name: 'an attempt is counted after it is verified',
      file: 'src/operations/access/sign-in-throttle.ts',
      find: `    const before = await db.write((tx) => countAttempt(tx, counters, at))
    if (!(await isRight())) return undefined`,
      replace: `    const right = await isRight()
    const before: Failures[] = []
    await db.write(async (tx) => {
      for (const { subject } of counters) await countFailure(tx, subject, at, oldestFailure())
    })
    if (!right) return undefined`,
    },
  ],
  run,
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const figures = { rounds: 0, 'requests of the quiet partner': 0, 'its p99 (ms)': 0 }
  const violations: Violation[] = []
  // A single round is on one of them.
  const inTurn = engines.map((_, at) => engines[(seed + at) % engines.length] as Engine)
  for (const [at, engine] of inTurn.entries()) {
    if (at >= count) break
    await using stage = await setUp(build, engine)
    for (let round = at; round < count && !signal.aborted && violations.length === 0; round += engines.length) {
      for (const flood of floodsOf(round)) {
        if (signal.aborted || violations.length > 0) break
        violations.push(...(await stage.meet(flood)).map((what) => ({ what: `${what} (${engine})`, history: [] })))
      }
      progress(++figures.rounds)
    }
    const { takenMs } = stage.quiet
    const p99 = stage.quiet.p99()
    figures['requests of the quiet partner'] += takenMs.length
    figures['its p99 (ms)'] = Math.max(figures['its p99 (ms)'], p99)
    if (takenMs.length >= samplesForP99 && p99 > p99Ms) {
      violations.push({ what: `p99 of the quiet partner was ${p99} ms (${engine})`, history: [] })
    }
    if (violations.length > 0) break
  }
  return { figures, violations }
}

async function setUp(build: string, engine: Engine) {
  const database = await migratedDatabase(engine)
  const tokens = await fill(database.url, estate)
  await storeContract(database.url, 'slow', slowContract)
  const node = await startNode(build, { settings: { ...settings, ATRIUM_DATABASE: database.url } })
  const quiet = new QuietPartner(node.url, tokens.quiet ?? '')
  // Warm-up: starts the threads and loads modules.
  for (const what of ['add', 'list', 'read', 'follow'] as const) await quiet[what]()
  quiet.takenMs.length = 0
  return {
    quiet,
    meet: (flood: Flood) => meet(node.url, flood, flood.as && tokens[flood.as], quiet),
    [Symbol.asyncDispose]: async () => {
      quiet.end()
      await node.end('SIGKILL')
      await database.drop()
    },
  }
}

/** Runs the quiet partner during a flood and returns what went wrong. */
async function meet(url: string, flood: Flood, token: string | undefined, quiet: QuietPartner): Promise<string[]> {
  const { name, requests, victim, times, isQueuedFirst, isWork, workAtMost } = flood
  const lines = requests.map(() => new Line(url, token ? { Authorization: `Bearer ${token}` } : {}))
  await Promise.all(lines.map((line) => line.ask({ method: 'GET', path: '/healthz' })))
  const startMs = performance.now()
  let work = 0
  const answers = requests.map(async (request, at) => {
    const { status = 0 } = (await lines[at]?.ask(request)) ?? {}
    if (isWork(status)) work++
  })
  if (isQueuedFirst) await Promise.race(answers)
  const statuses: number[] = []
  while (statuses.length < times) statuses.push(await quiet[victim]())
  const workBefore = work
  if (victim !== 'follow') await Promise.all(answers)
  const seconds = (performance.now() - startMs) / 1000
  for (const line of lines) line.cut()
  await Promise.all(answers)
  const faults = statuses.filter((status) => status !== 200).map((status) => `${status} to the quiet partner`)
  if (workAtMost !== undefined) {
    if (work > workAtMost(seconds)) faults.push(`${work} were judged in ${seconds.toFixed(1)} seconds`)
  } else if (workBefore > work / 2) faults.push(`${workBefore} of ${work} were worked off before the quiet partner`)
  return faults.map((fault) => `amid ${name}: ${fault}`)
}
