import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Balancer, startBalancer } from '../torture/balancer.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { type Installation, install, layouts } from '../torture/installation.ts'
import { type AtriumNode, startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'

const clients = 4
const pauseAtMostMs = 20
/**
 * The polling interval, often enough for graceful stops; a node that stops without notice still gets requests for a
 * while.
 */
const askEveryMs = 500
const outWithinMs = 10_000
/** After this time a node is killed. */
const patienceMs = 15_000

const estate = {
  facilities: [{ id_external: 'f', name: 'F', room_services: true, areas: [{ id: '1', name: 'One' }] }],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

/** Stops and starts nodes in turn, under load, behind a load balancer that only knows their /readyz. */
export const drain: Harness = {
  name: 'drain',
  promises: [16],
  title: 'stopping is not seen',
  unit: 'requests',
  target: 'none failed, and each node out within 10 s even with a stuck client',
  counts: { planted: 5000, test: 200, torture: 20_000 },
  planted: [
    {
      name: 'a node leaves without giving notice',
      file: 'src/http/draining.ts',
      find: 'if (this.hasReadinessProbe) await sleep(this.#noticeSeconds * 1000)',
      replace: '',
    },
    {
      name: 'stuck clients are waited for',
      file: 'src/http/draining.ts',
      find: 'const shutdownTimeoutMs = 5000',
      replace: 'const shutdownTimeoutMs = 60_000',
    },
  ],
  run,
}

async function run(given: Run): Promise<Outcome> {
  const installation = await install(given.build, layouts.twoNodes, estate)
  const balancer = await startBalancer(
    installation.nodes.map(({ url }) => url),
    askEveryMs,
  )
  const load = new Load(given, balancer, installation.tokens.p ?? '')
  const stops: Violation[] = []
  let longestMs = 0
  let stopped = 0
  try {
    const working = load.start()
    // At least one plain stop, and one with clients that never finish.
    while (stopped < 2 || (load.sent < given.count && !given.signal.aborted)) {
      if (load.failures.length > 0 || stops.length > 0) break
      const tookMs = await restart(given, installation, balancer, stopped % 2 === 1)
      longestMs = Math.max(longestMs, tookMs)
      stopped++
      if (tookMs > outWithinMs) stops.push({ what: `a node took ${Math.round(tookMs)} ms to leave`, history: [] })
    }
    load.isOver = true
    await working
  } finally {
    load.isOver = true
    await balancer.close()
    await installation.stop()
  }
  const figures = {
    requests: load.sent,
    failed: load.failures.length,
    stops: stopped,
    'longest (ms)': Math.round(longestMs),
  }
  return { figures, violations: [...load.failures.slice(0, 5), ...stops] }
}

/** Stops the oldest node and starts a new one in its place; returns how long the stop took. */
async function restart(given: Run, { nodes, databaseUrl }: Installation, balancer: Balancer, withStuck: boolean) {
  const node = nodes.shift() as AtriumNode
  const stuck = withStuck ? await stuckClients(node.url) : []
  const startMs = performance.now()
  const isOut = await Promise.race([node.end('SIGTERM').then(() => true), sleep(patienceMs, false)])
  const tookMs = performance.now() - startMs
  if (!isOut) node.child.kill('SIGKILL')
  for (const socket of stuck) socket.destroy()
  balancer.remove(node.url)
  const settings = { ATRIUM_DATABASE: databaseUrl, ATRIUM_LOG: 'warn' }
  const next = await startNode(given.build, { settings })
  nodes.push(next)
  await balancer.add(next.url)
  return tookMs
}

const halves = [
  'GET /v1/me HTTP/1.1\r\nHost: ',
  'PATCH /v1/facilities/f/name HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"v',
  '',
]

async function stuckClients(url: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets = halves.map((half) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    if (half !== '') socket.write(half)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await sleep(200)
  return sockets
}

class Load {
  readonly #run: Run
  readonly #url: string
  readonly #token: string
  readonly failures: Violation[] = []
  isOver = false
  sent = 0

  constructor(run: Run, { url }: Balancer, token: string) {
    this.#run = run
    this.#url = url
    this.#token = token
  }

  async start(): Promise<void> {
    const random = new Random(this.#run.seed)
    await Promise.all(Array.from({ length: clients }, () => this.#client(random.branch())))
  }

  async #client(random: Random): Promise<void> {
    while (!this.isOver) {
      await this.#ask(random)
      await sleep(random.below(pauseAtMostMs))
    }
  }

  async #ask(random: Random): Promise<void> {
    const number = ++this.sent
    const [method, path, value] = random.pick([
      ['GET', '/v1/facilities/f', undefined],
      ['GET', '/v1/areas/f-1', undefined],
      ['PATCH', '/v1/facilities/f/name', `F ${number % 7}`],
      ['POST', '/v1/areas/f-1', ''],
    ] as const)
    const said = await this.#answer(method, path, value)
    if (said !== 200) this.failures.push({ what: `${method} ${path}: ${said}`, history: [`request ${number}`] })
    this.#run.progress(Math.min(number, this.#run.count))
  }

  async #answer(method: string, path: string, value: string | undefined): Promise<number | string> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    const body = value === undefined ? null : JSON.stringify({ value })
    try {
      const answer = await fetch(this.#url + path, { method, headers, body })
      const text = await answer.text()
      return answer.status === 200 ? 200 : `${answer.status} ${text.slice(0, 200)}`
    } catch (error) {
      return String((error as Error).cause ?? error)
    }
  }
}
