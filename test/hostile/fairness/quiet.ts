import { Line } from '../../torture/line.ts'

/** A partner that sends one request after the other and measures each. */
export class QuietPartner {
  readonly #lines: [Line, Line]
  readonly #read = { length: 100, name: 0 }
  readonly takenMs: number[] = []

  constructor(url: string, token: string) {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip' }
    this.#lines = [new Line(url, headers), new Line(url, headers)]
  }

  /** A small body that is checked against a contract. */
  add(): Promise<number> {
    const body = { value: JSON.stringify([{ code: 'tv', note: 'quiet' }]) }
    return this.#ask('POST', '/v1/areas/f-2/data_services', body)
  }

  /** Long enough for the worker thread of lists. */
  list(): Promise<number> {
    const name = `Room ${++this.#read.name} ${'é'.repeat(20)}`
    const value = Array.from({ length: 1000 }, (_, n) => ({ id_external: `${n}`, name }))
    return this.#ask('PATCH', '/v1/facilities/f/areas_autocomplete_list', { value })
  }

  /** A page of another length each time, so that its compressed form is not cached. */
  read(): Promise<number> {
    this.#read.length = this.#read.length < 900 ? this.#read.length + 1 : 100
    return this.#ask('GET', `/v1/facilities/f/areas?limit=${this.#read.length}`)
  }

  /** A long poll for the partner's own change. */
  async follow(): Promise<number> {
    const [line, other] = this.#lines
    const begun = await line.ask({ method: 'GET', path: '/v1/events' })
    const { next } = JSON.parse(begun?.text ?? '{}')
    const waiting = other.ask({ method: 'GET', path: `/v1/events?after=${next}&wait=20` })
    const renamed = await this.#ask('PATCH', '/v1/facilities/f/name', { value: `F ${++this.#read.name}` })
    const { status, text } = (await waiting) ?? { status: 0, text: '{"data":[]}' }
    if (renamed !== 200 || status !== 200) return renamed === 200 ? status : renamed
    return JSON.parse(text).data.length > 0 ? 200 : 0
  }

  async #ask(method: string, path: string, body?: object): Promise<number> {
    const startMs = performance.now()
    const answer = await this.#lines[0].ask({ method, path, ...(body && { body }) })
    this.takenMs.push(performance.now() - startMs)
    return answer?.status ?? 0
  }

  /** In milliseconds. */
  p99(): number {
    const sorted = this.takenMs.toSorted((a, b) => a - b)
    return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)
  }

  end(): void {
    for (const line of this.#lines) line.cut()
  }
}
