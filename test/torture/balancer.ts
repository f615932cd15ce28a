import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A load balancer in front of several nodes: round robin, and only to those whose /readyz returns 200. */
export interface Balancer {
  url: string
  add(node: string): Promise<void>
  remove(node: string): void
  /** How many responses each node has sent. */
  readonly answered: ReadonlyMap<string, number>
  /** Requests that were repeated because a kept-alive connection was closed meanwhile. */
  readonly repeated: number
  close(): Promise<void>
}

interface Target {
  url: string
  agent: Agent
  isReady: boolean
  isAsked: boolean
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Interval at which each node's readiness is polled. */
export async function startBalancer(nodes: string[] = [], askEveryMs = 50): Promise<Balancer> {
  const balancer = new RoundRobin()
  // Idle connections are never closed: on a slow machine this could happen while one is used again.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => void balancer.pass(incoming, outgoing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await Promise.all(nodes.map((node) => balancer.add(node)))
  const timer = setInterval(() => void balancer.askAll(), askEveryMs)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (node) => balancer.add(node),
    remove: (node) => balancer.remove(node),
    answered: balancer.answered,
    get repeated() {
      return balancer.repeated
    },
    close: () => {
      clearInterval(timer)
      for (const { url } of [...balancer.targets]) balancer.remove(url)
      return end(server)
    },
  }
}

function end(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

class RoundRobin {
  readonly targets: Target[] = []
  readonly answered = new Map<string, number>()
  repeated = 0
  #turn = 0

  async add(url: string): Promise<void> {
    const target = { url, agent: new Agent({ keepAlive: true }), isReady: false, isAsked: false }
    this.targets.push(target)
    await this.#ask(target)
  }

  remove(url: string): void {
    const at = this.targets.findIndex((target) => target.url === url)
    const [removed] = at < 0 ? [] : this.targets.splice(at, 1)
    removed?.agent.destroy()
  }

  askAll(): Promise<unknown> {
    return Promise.all(this.targets.map((target) => this.#ask(target)))
  }

  async #ask(target: Target): Promise<void> {
    if (target.isAsked) return
    target.isAsked = true
    const answer = await fetch(`${target.url}/readyz`, { headers: { connection: 'close' } }).catch(() => undefined)
    await answer?.body?.cancel()
    target.isReady = answer?.status === 200
    target.isAsked = false
  }

  async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => undefined)
    if (body === undefined) return void outgoing.destroy()
    const { method = '', headers } = incoming
    const isRepeatable = safeMethods.has(method) || headers['idempotency-key'] !== undefined
    for (let tries = 0; ; tries++) {
      const target = this.#next()
      if (target === undefined) return void outgoing.writeHead(502).end('no node is ready')
      const { answer, isKept } = await forward(target, incoming, body)
      if (answer !== undefined) return this.#answer(target, answer, outgoing)
      // Retries on a new connection, as load balancers do: an idle one may have been closed at that moment.
      if (!isKept || !isRepeatable || tries === 2) return void outgoing.writeHead(502).end('the node did not respond')
      this.repeated++
    }
  }

  #answer({ url }: Target, answer: IncomingMessage, outgoing: ServerResponse): void {
    this.answered.set(url, (this.answered.get(url) ?? 0) + 1)
    const { connection: _hop, 'keep-alive': _time, ...headers } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, headers)
    answer.pipe(outgoing)
    answer.once('error', () => outgoing.destroy())
  }

  #next(): Target | undefined {
    const ready = this.targets.filter(({ isReady }) => isReady)
    return ready[this.#turn++ % ready.length]
  }
}

/** Undefined if the connection broke before a response began; `isKept` if it had been used before. */
function forward({ url, agent }: Target, { method, url: path, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ answer?: IncomingMessage; isKept: boolean }>((resolve) => {
    const { connection: _hop, 'transfer-encoding': _whole, ...passed } = headers
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {}
    const sent = request(url + path, { method: method as string, headers: { ...passed, ...length }, agent })
    sent.once('response', (answer) => resolve({ answer, isKept: sent.reusedSocket }))
    sent.once('error', () => resolve({ isKept: sent.reusedSocket }))
    sent.end(body)
  })
}
