import { setTimeout as sleep } from 'node:timers/promises'
import type { Line, LineAnswer, LineRequest } from '../../torture/line.ts'
import type { Random } from '../../torture/random.ts'
import type { Place } from '../../torture/rooms.ts'
import { bulkCallFor, callFor, type Kept, readAnswer, readResults, Unexpected } from './calls.ts'
import {
  type Answer,
  type Condition,
  codeOf,
  type History,
  type Operation,
  type Request,
  type Route,
  type Step,
  serviceOf,
} from './history.ts'

/** A connection of a client. */
export type Asker = Pick<Line, 'ask' | 'cut'>

export interface Recording {
  place: Place
  routes: readonly Route[]
  random: Random
  newName(): string
}

/** What the clients of one history share. */
interface Shared {
  place: Place
  /** The routes by which clients read. */
  routes: readonly Route[]
  operations: Operation[]
  /** The subscription's id by the code it was added with. */
  ids: Map<string, string>
  /** The room's subscriptions that a client saw last. */
  services: readonly string[]
  clock: number
  /** A code or label that no request has used yet. */
  newName(): string
  /** How often a client disconnects before its response. */
  isHasty: boolean
}

/** Makes each connection a concurrent client of one room, and records requests and responses. */
export async function recordHistory(lines: Asker[], { place, routes, random, newName }: Recording): Promise<History> {
  const isHasty = random.chance(0.05)
  const shared: Shared = { place, routes, operations: [], ids: new Map(), services: [], clock: 0, isHasty, newName }
  const clients = lines.map((line, number) => new Client(number, line, shared, random.branch()))
  const first = await clients[0]?.ask({ kind: 'read', route: 'area' })
  if (first?.said !== 'done') throw new Unexpected('the first read got no response')
  shared.operations = []
  const history = { first: first.sight, operations: shared.operations }
  try {
    await Promise.all(clients.map((client) => client.work(1 + random.below(3))))
  } catch (error) {
    if (error instanceof Unexpected) error.history = history
    throw error
  }
  return history
}

class Client {
  readonly #number: number
  readonly #line: Asker
  readonly #shared: Shared
  readonly #random: Random
  readonly #kept = new Map<Route, Kept>()
  #seen: Condition = {}

  constructor(number: number, line: Asker, shared: Shared, random: Random) {
    this.#number = number
    this.#line = line
    this.#shared = shared
    this.#random = random
  }

  async work(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      if (this.#random.chance(0.3)) await sleep(this.#random.below(4))
      if (this.#random.chance(0.06)) await this.#askEach(this.#drawSteps())
      else await this.ask(this.#draw())
    }
  }

  #draw(): Request {
    const random = this.#random
    const dice = random.below(100)
    if (dice < 45) return { kind: 'read', route: random.pick(this.#shared.routes) }
    const onlyIf = this.#drawCondition()
    const codes = [...this.#shared.ids.keys()]
    if (dice < 53) return { kind: 'all', steps: this.#drawSteps() }
    if (dice < 66 || (dice < 80 && codes.length === 0)) {
      return { kind: 'add', code: this.#shared.newName(), ...onlyIf }
    }
    if (dice < 73) return { kind: 'delete', code: random.pick(codes), ...onlyIf }
    if (dice < 80) return { kind: 'change', code: random.pick(codes), label: this.#shared.newName(), ...onlyIf }
    if (dice < 87) return { kind: 'replace', ...this.#drawServices(), ...onlyIf }
    return { kind: dice < 94 ? 'open' : 'close', ...onlyIf }
  }

  /** The subscriptions that were seen last, with changes; without any, the request changes nothing. */
  #drawServices(): { kept: string[]; added: string[] } {
    const random = this.#random
    const { newName, services } = this.#shared
    const left = services.filter(() => random.chance(0.8))
    const kept = left.map((one) => (random.chance(0.2) ? serviceOf(codeOf(one), newName()) : one))
    return { kept, added: Array.from({ length: random.below(3) }, newName) }
  }

  /** Operations of one call; the first can be refused because of the cycle that it names. */
  #drawSteps(): Step[] {
    const random = this.#random
    const { cycle } = this.#seen
    return Array.from({ length: 2 + random.below(3) }, (_, at): Step => {
      const onlyIf = at === 0 && cycle !== undefined && random.chance(0.15) ? { onlyIf: { cycle } } : {}
      const dice = random.below(100)
      if (dice < 50) return { kind: 'add', code: this.#shared.newName(), ...onlyIf }
      if (dice < 70) return { kind: 'replace', ...this.#drawServices(), ...onlyIf }
      return { kind: dice < 90 ? 'open' : 'close', ...onlyIf }
    })
  }

  #drawCondition(): { onlyIf?: Condition } {
    const { cycle, etag } = this.#seen
    const dice = this.#random.below(100)
    if (dice < 10 && cycle !== undefined) return { onlyIf: { cycle } }
    return dice >= 90 && etag !== undefined ? { onlyIf: { etag } } : {}
  }

  async ask(request: Request): Promise<Answer | undefined> {
    const { place, operations, ids } = this.#shared
    const route = request.kind === 'read' ? request.route : undefined
    const kept = route && this.#random.chance(0.6) ? this.#kept.get(route) : undefined
    const call = callFor(request, place, (code) => ids.get(code) ?? '', kept)
    const begin = ++this.#shared.clock
    const operation: Operation = { client: this.#number, request, begin, end: Number.POSITIVE_INFINITY }
    operations.push(operation)
    const answered = await this.#send(call, route === undefined)
    const said = answered && readAnswer(request, place, answered, kept)
    if (answered === undefined || said === undefined) return undefined
    operation.end = ++this.#shared.clock
    operation.answer = said.answer
    for (const { id, code } of said.services) this.#learn(code, id)
    if (said.answer.said !== 'done') return said.answer
    const { sight } = said.answer
    const { etag: tag } = answered.headers
    if (route !== undefined && tag !== undefined) this.#kept.set(route, { tag, sight })
    this.#shared.services = sight.services
    this.#seen = { ...(sight.cycle && { cycle: sight.cycle }), ...(sight.etag && { etag: sight.etag }) }
    return said.answer
  }

  /** Sends operations of which each succeeds or fails on its own. Those that were not attempted are left out. */
  async #askEach(steps: Step[]): Promise<void> {
    const { place, operations, ids } = this.#shared
    const call = bulkCallFor('each', steps, place, (code) => ids.get(code) ?? '')
    const begin = ++this.#shared.clock
    const client = this.#number
    const begun = steps.map((request): Operation => ({ client, request, begin, end: Number.POSITIVE_INFINITY }))
    operations.push(...begun)
    const answered = await this.#send(call, true)
    if (answered === undefined || answered.status === 503) return
    const end = ++this.#shared.clock
    for (const [at, result] of readResults(answered.status, answered.text).entries()) {
      const operation = begun[at] as Operation
      if (result === undefined) operations.splice(operations.indexOf(operation), 1)
      else Object.assign(operation, { end, answer: result.answer })
      for (const { id, code } of result?.services ?? []) this.#learn(code, id)
    }
  }

  /** Now and then disconnects before the response to a write. */
  async #send(call: LineRequest, isWrite: boolean): Promise<LineAnswer | undefined> {
    const isLeaving = this.#shared.isHasty && isWrite && this.#random.chance(0.2)
    const leaving = isLeaving ? setTimeout(() => this.#line.cut(), this.#random.below(3)) : undefined
    const answered = await this.#line.ask(call)
    // Keeps connections whose response arrived; they are used again.
    clearTimeout(leaving)
    return answered
  }

  #learn(code: string, id: string): void {
    const { ids } = this.#shared
    const known = ids.get(code)
    if (known !== undefined && known !== id)
      throw new Unexpected(`${code} was added once and is there as ${known} and ${id}`)
    ids.set(code, id)
  }
}
