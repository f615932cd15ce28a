import type { Violation } from '../../torture/harness.ts'
import { Line, type LineAnswer, type LineRequest } from '../../torture/line.ts'
import type { Random } from '../../torture/random.ts'

/** What the harness knows of a cycle once it has ended. */
interface Stay {
  /** A text that is in every field that was sent about the guest. */
  canary: string
  key: string
  body: { value: string }
  etag: string
  subscription: string
  cycle: string | null
}

/** Runs one guest after the other in a room; after each, queries everything that could still contain a trace. */
export class Guests {
  answers = 0
  readonly #line: Line
  readonly #room: string
  readonly #random: Random
  #stays = 0
  #steps: string[] = []

  constructor(url: string, token: string, room: number, random: Random) {
    this.#line = new Line(url, { Authorization: `Bearer ${token}` })
    this.#room = `f-${room}`
    this.#random = random
  }

  leave(): void {
    this.#line.cut()
  }

  async comeAndGo(times: number, signal: AbortSignal): Promise<Violation[]> {
    for (let time = 0; time < times && !signal.aborted; time++) {
      this.#steps = []
      const found = await this.#stay().catch((error: Error) => [this.#violation(error.message)])
      if (found.length > 0) return found
    }
    return []
  }

  async #stay(): Promise<Violation[]> {
    const stay = await this.#live()
    const reset = await this.#ask({ method: this.#random.chance(0.5) ? 'POST' : 'DELETE', path: this.#path('') }, 200)
    const found = this.#look(reset)
    for (const [request, status] of questions(this.#room, stay)) {
      if (found.length > 0) return found
      found.push(...this.#look(await this.#ask(request, status)))
    }
    return found
  }

  /** The stay of the guest: added services are read, and so get into the caches of all nodes. */
  async #live(): Promise<Stay> {
    if (this.#random.chance(0.7)) await this.#ask({ method: 'POST', path: this.#path('') }, 200)
    const canary = `canary-${this.#room}-${++this.#stays}`
    const items = Array.from({ length: 1 + this.#random.below(3) }, () => this.#item(canary))
    const body = { value: JSON.stringify(items) }
    const key = `${this.#room}-${this.#stays}`
    const headers = { 'Idempotency-Key': key }
    const added = await this.#ask({ method: 'POST', path: this.#path('data_services'), headers, body }, 200)
    const area = await this.#ask({ method: 'GET', path: this.#path('') }, 200)
    const listed = await this.#ask({ method: 'GET', path: '/v1/facilities/f/areas' }, 200)
    if (![added, area, listed].every(({ text }) => text.includes(canary))) throw new Error('a guest is not to be seen')
    const { cycle, data_services } = JSON.parse(area.text)
    return { canary, key, body, etag: area.headers.etag ?? '', subscription: data_services[0].id, cycle }
  }

  /** Includes long values, which do not fit into one page of the database file. */
  #item(canary: string): object {
    const padding = 'x'.repeat(this.#random.chance(0.2) ? 6000 : this.#random.below(200))
    // The code may stay in the audit log.
    return { code: 'tv', label: `${canary} label`, note: { [`${canary} field`]: `${canary} ${padding} ${canary}` } }
  }

  #path(rest: string): string {
    return `/v1/areas/${this.#room}/${rest}`
  }

  async #ask(request: LineRequest, status: number): Promise<LineAnswer> {
    this.#steps.push(`${request.method} ${request.path} ${JSON.stringify(request.headers ?? {})}`)
    const answer = await this.#line.ask(request)
    this.answers++
    if (answer?.status !== status)
      throw new Error(`${answer?.status} instead of ${status}: ${answer?.text.slice(0, 300)}`)
    return answer
  }

  #look({ headers, text }: LineAnswer): Violation[] {
    const whole = `${JSON.stringify(headers)}\n${text}`
    const at = whole.indexOf(`canary-${this.#room}-`)
    return at === -1
      ? []
      : [this.#violation('an earlier guest is in a response', whole.slice(Math.max(0, at - 80), at + 80))]
  }

  #violation(what: string, ...more: string[]): Violation {
    return { what, history: [...this.#steps, ...more] }
  }
}

/** The requests after the reset, with the status that each must have. */
function questions(room: string, { key, body, etag, subscription, cycle, canary }: Stay): [LineRequest, number][] {
  const area = `/v1/areas/${room}/`
  const services = `${area}data_services`
  const again = (headers: Record<string, string>, sent: object = body): LineRequest => {
    return { method: 'POST', path: services, headers, body: sent }
  }
  const get = (path: string, headers: Record<string, string> = {}): LineRequest => ({ method: 'GET', path, headers })
  return [
    [get(area), 200],
    [get(area, { 'If-None-Match': etag }), 200],
    [get(services), 200],
    [get('/v1/facilities/f/areas'), 200],
    [get('/v1/facilities/f/areas', { 'Accept-Encoding': 'gzip' }), 200],
    [get('/v1/facilities/f/areas?limit=1000'), 200],
    [again({ 'Idempotency-Key': key }), 409],
    [again({ 'Idempotency-Key': key }, { value: '[]' }), 409],
    [again({ 'If-Match': etag }), 412],
    ...(cycle === null ? [] : [[again({ 'Atrium-Cycle': cycle }), 412] as [LineRequest, number]]),
    [again({}, { value: `[{"label": "${canary}"}]` }), 400],
    [again({}, { value: `[${canary}` }), 400],
    [{ method: 'DELETE', path: `${services}/${subscription}` }, 404],
    [get('/metrics'), 200],
  ]
}
