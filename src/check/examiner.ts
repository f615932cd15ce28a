import { isObject } from '../domain/json.ts'

/** What one rule of the specification comes to. */
export interface Result {
  /** The section of the specification that it is from. */
  section: string
  rule: string
  verdict: 'kept' | 'broken' | 'skipped'
  /** What was seen instead, or why it was not looked at. */
  detail: string
}

export interface Answer {
  status: number
  headers: Headers
  /** Undefined where it is no JSON. */
  json: unknown
  text: string
}

export interface Asking {
  body?: unknown
  /** Another one than the examiner's; null for none. */
  token?: string | null
  headers?: Record<string, string>
}

class Broken extends Error {}
class Skipped extends Error {}

/** What is seen must be so. */
export function demand(isSo: boolean, instead: string): asserts isSo {
  if (!isSo) throw new Broken(instead)
}

/** The rule cannot be looked at here. */
export function skip(why: string): never {
  throw new Skipped(why)
}

export function demandObject(value: unknown, what: string): Record<string, unknown> {
  demand(isObject(value), `${what} is ${shown(value)}, not an object`)
  return value as Record<string, unknown>
}

export function demandArray(value: unknown, what: string): unknown[] {
  demand(Array.isArray(value), `${what} is ${shown(value)}, not an array`)
  return value
}

/** In a line, whatever it is. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

const answerWithinMs = 30_000

/** Asks an installation, holds its answers against rules, and notes what came of each. */
export class Examiner {
  readonly results: Result[] = []
  /** What was changed, and whether it is as it was before. */
  readonly changes: string[] = []
  asked = 0
  readonly #baseUrl: string
  readonly #token: string

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')
    this.#token = token
  }

  /** Throws when nobody answers at all: then there is nothing to hold against rules. */
  async reach(): Promise<void> {
    await this.ask('GET', '/v1/facilities/').catch((error) => {
      throw new Error(`Nobody answers at ${this.#baseUrl}, ${explained(error)}: check --base-url`)
    })
  }

  async ask(method: string, path: string, { body, token = this.#token, headers }: Asking = {}): Promise<Answer> {
    this.asked++
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  /** The answer, where it was carried out; a refusal of what is not granted skips the rule. */
  async done(method: string, path: string, asking?: Asking): Promise<Answer> {
    const answer = await this.ask(method, path, asking)
    if (answer.status === 403) skip(`${method} ${path} is not granted to this token (403)`)
    const isDone = answer.status >= 200 && answer.status < 300
    demand(isDone, `${method} ${path} was answered ${answer.status} ${answer.text.slice(0, 120)}`)
    demand(answer.json !== undefined, `${method} ${path} was not answered with JSON: ${shown(answer.text)}`)
    return answer
  }

  /** Looks at one rule. What it found is given to those that build on it; nothing when it is not kept. */
  async rule<T>(section: string, rule: string, look: () => Promise<T>): Promise<T | undefined> {
    try {
      const found = await look()
      this.results.push({ section, rule, verdict: 'kept', detail: '' })
      return found
    } catch (error) {
      const verdict = error instanceof Skipped ? 'skipped' : 'broken'
      this.results.push({ section, rule, verdict, detail: explained(error) })
      return undefined
    }
  }
}

function explained(error: unknown): string {
  if (error instanceof Broken || error instanceof Skipped) return error.message
  const { message, cause } = error as Error
  return `no answer (${cause instanceof Error ? cause.message : message})`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
