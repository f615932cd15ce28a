import type { Violation } from './harness.ts'
import {
  describeRoom,
  describeWrite,
  emptyRoom,
  follows,
  isSame,
  type RoomState,
  type RoomWrite,
  type Wrong,
  without,
  wrongIn,
} from './ledger.ts'
import type { Random } from './random.ts'
import type { Answer, RoomClient } from './room-client.ts'

/** Thrown when a room differs from its writer's expectation, or a response is one that no client should get. */
export class Broken extends Error {
  readonly wrong: Wrong
  readonly violation: Violation

  constructor(wrong: Wrong, violation: Violation) {
    super(violation.what)
    this.wrong = wrong
    this.violation = violation
  }
}

export function refused(what: string, history: string[] = []): Broken {
  return new Broken('refused', { what, history })
}

const historyAtMost = 12

/**
 * The expected state of a room, known by its only writer: all acknowledged writes, and the one without a response, which
 * is repeated with the same key before anything else.
 */
export class RoomBook {
  readonly area: string
  acknowledged = 0
  retried = 0
  replayed = 0
  #state: RoomState = emptyRoom
  #pending: RoomWrite | undefined
  /** The room was read with the pending write in it, so its response must agree. */
  #seen: RoomState | undefined
  #isRetry = false
  #writes = 0
  #history: string[] = []

  constructor(area: string) {
    this.area = area
  }

  /** Sends the next write, or the pending one again; returns the response, or undefined when the connection broke. */
  async write(client: RoomClient, url: string, random: Random): Promise<Answer | undefined> {
    this.#isRetry = this.#pending !== undefined
    if (this.#isRetry) this.retried++
    const write = this.#pending ?? this.#draw(random)
    this.#pending = write
    const answer = await send(client, url, this.area, write)
    this.note(`${describeWrite(write)} → ${answer === undefined ? 'no response' : said(answer)}`)
    if (answer !== undefined) this.#settle(write, answer)
    return answer
  }

  /** Compares a read of the room, while its writer waits. */
  compare(found: RoomState): void {
    this.note(`read: ${describeRoom(found)}`)
    if (isSame(found, this.#state)) this.#seen = undefined
    else if (this.#pending !== undefined && follows(this.#state, this.#pending, found)) this.#seen = found
    else this.#fail(found)
    // The history up to a correct state is no longer needed.
    this.#history = [`it was: ${describeRoom(this.#state)}`, ...(this.#pending ? this.#history.slice(-2) : [])]
  }

  note(line: string): void {
    this.#history.push(line)
    if (this.#history.length > historyAtMost) this.#history.splice(1, 1)
  }

  /** Draws a write that changes something, except for closing a closed room. */
  #draw(random: Random): RoomWrite {
    const { services } = this.#state
    const key = `${this.area} ${this.#writes++}`
    const codes = Array.from({ length: 1 + random.below(3) }, (_, n) => `${this.#writes}.${n}`)
    const label = `l${this.#writes}`
    const chance = random.fraction()
    if (chance < 0.08) return { kind: 'open', key }
    if (chance < 0.14) return { kind: 'close' }
    if (services.length > 20) return { kind: 'delete', id: random.pick(services).id }
    if (services.length === 0 || chance > 0.64) return { kind: 'add', key, codes }
    if (chance < 0.3) return { kind: 'delete', id: random.pick(services).id }
    if (chance < 0.46) return { kind: 'change', id: random.pick(services).id, label }
    const left = services.filter(() => random.chance(0.7))
    const kept = left.map(({ id, code, label: old }) => ({ id, code, label: random.chance(0.3) ? label : old }))
    return { kind: 'replace', key, kept, codes }
  }

  #settle(write: RoomWrite, answer: Answer): void {
    if (answer.status === 503 || answer.body?.code === 'idempotency_key_in_use') return
    const isGone = this.#isRetry && write.kind === 'delete' && answer.body?.code === 'service_not_found'
    if (answer.status !== 200 && !isGone) this.#break('refused', `it returned ${said(answer)}`)
    const after = isGone ? without(this.#state, write.id) : stateIn(answer, this.#state)
    const isRight = this.#seen === undefined ? follows(this.#state, write, after) : isSame(after, this.#seen)
    if (!isRight) this.#fail(after)
    if (answer.headers['idempotency-replayed'] !== undefined) this.replayed++
    this.acknowledged++
    this.#state = after
    this.#pending = undefined
    this.#seen = undefined
  }

  #fail(found: RoomState): never {
    // A room that was seen opened, or with other services, is opened or gets them again.
    const kind = this.#pending?.kind
    const isAgain = this.#seen !== undefined && (kind === 'open' || kind === 'replace')
    const wrong = isAgain ? 'doubled' : wrongIn(this.#seen ?? this.#state, found, this.#pending)
    this.#break(wrong, `it is ${describeRoom(found)}`)
  }

  #break(wrong: Wrong, reason: string): never {
    const expected = `expected: ${describeRoom(this.#seen ?? this.#state)}`
    const history = [
      ...this.#history,
      this.#pending === undefined ? expected : `${expected}, or that after the last write`,
    ]
    throw new Broken(wrong, { what: `room ${this.area}, ${wrong}: ${reason}`, history })
  }
}

function send(client: RoomClient, url: string, area: string, write: RoomWrite): Promise<Answer | undefined> {
  const path = `/v1/areas/${area}/`
  switch (write.kind) {
    case 'add': {
      const value = JSON.stringify(write.codes.map((code) => ({ code })))
      return client.ask(url, 'POST', `${path}data_services`, { key: write.key, body: { value } })
    }
    case 'delete':
      return client.ask(url, 'DELETE', `${path}data_services/${write.id}`)
    case 'change':
      return client.ask(url, 'PATCH', `${path}data_services/${write.id}`, { body: { label: write.label } })
    case 'replace': {
      const body = { data_services: [...write.kept, ...write.codes.map((code) => ({ code }))] }
      return client.ask(url, 'PUT', `${path}data_services`, { key: write.key, body })
    }
    case 'open':
      return client.ask(url, 'POST', path, { key: write.key })
    case 'close':
      return client.ask(url, 'DELETE', path)
  }
}

/** Only opening and closing return the cycle; other writes leave it unchanged. */
function stateIn({ body }: Answer, before: RoomState): RoomState {
  if (body.area !== undefined) return areaState(body.area)
  return { cycle: before.cycle, services: body.remaining_services ?? body.services.data_services }
}

interface Area {
  id_external: string
  cycle: string | null
  data_services: RoomState['services']
}

function areaState({ cycle, data_services }: Area): RoomState {
  return { cycle, services: data_services }
}

/** Reads all rooms concurrently, while their writers wait. */
export async function compareRooms(books: RoomBook[], client: RoomClient, url: string, when: string): Promise<void> {
  const answer = await client.ask(url, 'GET', '/v1/facilities/f/areas')
  if (answer?.status !== 200) throw refused(`the list of areas returned ${answer?.status} ${when}`)
  const found = new Map((answer.body as Area[]).map((area) => [area.id_external, area]))
  for (const book of books) book.compare(areaState(found.get(book.area) as Area))
}

/** Reads one room, as its only writer. */
export async function readRoom(book: RoomBook, client: RoomClient, url: string): Promise<Answer | undefined> {
  const answer = await client.ask(url, 'GET', `/v1/areas/${book.area}/`)
  if (answer === undefined || answer.status === 503) return answer
  if (answer.status !== 200) throw refused(`a read of ${book.area} returned ${said(answer)}`)
  book.compare(areaState(answer.body as Area))
  return answer
}

function said({ status, body, headers }: Answer): string {
  const replayed = headers['idempotency-replayed'] === undefined ? '' : ', replayed'
  return `${status}${replayed}${body?.code === undefined ? '' : ` ${body.code}`}`
}
