import type { Violation } from '../../torture/harness.ts'
import type { Random } from '../../torture/random.ts'
import type { Answer, RoomClient } from '../../torture/room-client.ts'

export const roomsInWard = 5

/** Thrown with the history when rooms of a ward differ, or a response is one that no client should get. */
export class Torn extends Error {
  readonly violation: Violation

  constructor(what: string, history: string[]) {
    super(what)
    this.violation = { what, history }
  }
}

interface Area {
  id_external: string
  cycle: string | null
  data_services: { code: string }[]
}

interface Call {
  key: string
  body: { mode: 'all'; operations: object[] }
  /** The only code that all rooms hold after it; undefined for a call with an operation that fails. */
  code: string | undefined
}

const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'
const historyAtMost = 8

/**
 * Rooms that only one client changes, always all of them in one call with the mode `all`. So every read of them shows one
 * code: that of the last acknowledged call, or of the one without a response, which is sent again with its key.
 */
export class Ward {
  acknowledged = 0
  refused = 0
  retried = 0
  readonly #rooms: string[]
  #calls = 0
  #code = ''
  #pending: Call | undefined
  #history: string[] = []

  constructor(number: number) {
    this.#rooms = Array.from({ length: roomsInWard }, (_, n) => `f-${number * roomsInWard + n}`)
  }

  /** Sends the next call, or the pending one again. */
  async change(client: RoomClient, url: string, random: Random): Promise<Answer | undefined> {
    if (this.#pending !== undefined) this.retried++
    const call = this.#pending ?? this.#draw(random)
    this.#pending = call
    const answer = await client.ask(url, 'POST', '/v1/facilities/f/areas/bulk', call)
    this.#note(`${call.code ?? 'a failing call'}: ${JSON.stringify(call.body.operations)} → ${said(answer)}`)
    if (answer !== undefined) this.#settle(call, answer)
    return answer
  }

  /** Checks that a read shows no call by half. Returns the code that all rooms hold. */
  codeIn(areas: Map<string, Area>, when: string): string {
    const found = this.#rooms.map((room) => codesIn(areas.get(room)))
    this.#note(`read ${when}: ${found.join(' | ')}`)
    const [code = '', ...others] = new Set(found)
    if (others.length > 0) throw this.#torn('rooms of one call differ')
    return code
  }

  /** Compares a read during which nothing is sent. */
  compare(areas: Map<string, Area>, when: string): void {
    const code = this.codeIn(areas, when)
    const pending = this.#pending?.code
    if (code !== this.#code && code !== pending) throw this.#torn(`all rooms hold ${code}, expected ${this.#code}`)
  }

  /** Draws a call that gives all rooms the same new code, or one of whose operations fails. */
  #draw(random: Random): Call {
    const code = `c${this.#calls++}`
    const rooms = shuffled(this.#rooms, random)
    const services = [{ code }]
    const operations = rooms.flatMap((area): object[] => {
      const arrival = [
        { op: 'open', area },
        { op: 'add_services', area, services },
      ]
      const dice = random.fraction()
      if (dice < 0.4) return [{ op: 'replace_services', area, services }]
      return dice < 0.8 ? arrival : [{ op: 'close', area }, ...arrival]
    })
    const fails = random.chance(0.25)
    if (fails) operations.splice(random.below(operations.length + 1), 0, failing(random.pick(rooms)))
    return { key: `${this.#rooms[0]} ${code}`, body: { mode: 'all', operations }, code: fails ? undefined : code }
  }

  #settle({ code }: Call, answer: Answer): void {
    if (answer.status === 503 || answer.body?.code === 'idempotency_key_in_use') return
    if (answer.status !== 200) throw this.#torn(`a call returned ${said(answer)}`)
    const results = answer.body.results as { status: number; area?: Area }[]
    const failed = results.filter(({ status }) => status !== 200)
    this.#pending = undefined
    if (code === undefined) {
      const isRight = failed.length === results.length && failed.filter(({ status }) => status === 412).length === 1
      if (!isRight) throw this.#torn('a call with a failing operation did something')
      this.refused++
      return
    }
    if (failed.length > 0) throw this.#torn('an operation failed')
    for (const room of this.#rooms) {
      const last = results.findLast(({ area }) => area?.id_external === room)
      if (codesIn(last?.area) !== code) throw this.#torn(`the response shows ${codesIn(last?.area)} in ${room}`)
    }
    this.acknowledged++
    this.#code = code
  }

  #note(line: string): void {
    this.#history.push(line)
    this.#history = this.#history.slice(-historyAtMost)
  }

  #torn(what: string): Torn {
    return new Torn(what, this.#history)
  }
}

/** An operation on a room in another cycle than it names. */
function failing(area: string): object {
  return { op: 'close', area, cycle: neverWas }
}

function codesIn(area: Area | undefined): string {
  return area === undefined ? 'no room' : area.data_services.map(({ code }) => code).join(' ')
}

function shuffled(rooms: string[], random: Random): string[] {
  return rooms
    .map((room) => ({ room, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
    .map(({ room }) => room)
}

function said(answer: Answer | undefined): string {
  if (answer === undefined) return 'no response'
  const statuses = (answer.body?.results as { status: number }[] | undefined)?.map(({ status }) => status)
  return `${answer.status} ${answer.body?.code ?? statuses}`
}

/** Reads all rooms in one response; undefined when there is none. */
export async function readAll(client: RoomClient, url: string): Promise<Map<string, Area> | undefined> {
  const answer = await client.ask(url, 'GET', '/v1/facilities/f/areas')
  if (answer === undefined || answer.status === 503) return undefined
  if (answer.status !== 200) throw new Torn(`the list of areas returned ${said(answer)}`, [])
  return new Map((answer.body as Area[]).map((area) => [area.id_external, area]))
}
