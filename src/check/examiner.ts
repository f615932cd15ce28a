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

export interface Response {
  status: number
  headers: Headers
  /** Undefined where it is no JSON. */
  json: unknown
  text: string
}

export interface RequestOptions {
  body?: unknown
  /** Another one than the examiner's; null for none. */
  token?: string | null
  headers?: Record<string, string>
}

class RuleViolation extends Error {}
class Skipped extends Error {}

/** What is seen must be so. */
export function expect(isSo: boolean, instead: string): asserts isSo {
  if (!isSo) throw new RuleViolation(instead)
}

/** The rule cannot be looked at here. */
export function skip(why: string): never {
  throw new Skipped(why)
}

export function expectObject(value: unknown, what: string): Record<string, unknown> {
  expect(isObject(value), `${what} is ${preview(value)}, not an object`)
  return value as Record<string, unknown>
}

export function expectArray(value: unknown, what: string): unknown[] {
  expect(Array.isArray(value), `${what} is ${preview(value)}, not an array`)
  return value
}

/** In a line, whatever it is. */
export function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

const requestTimeoutMs = 30_000

/** Asks an installation, holds its answers against rules, and notes what came of each. */
export class Examiner {
  readonly results: Result[] = []
  /** What was changed, and whether it is as it was before. */
  readonly changes: string[] = []
  requestCount = 0
  readonly #baseUrl: string
  readonly #token: string

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')
    this.#token = token
  }

  /** Throws when nobody answers at all: then there is nothing to hold against rules. */
  async assertReachable(): Promise<void> {
    await this.request('GET', '/v1/facilities/').catch((error) => {
      throw new Error(`Nobody answers at ${this.#baseUrl}, ${messageOf(error)}: check --base-url`)
    })
  }

  async request(
    method: string,
    path: string,
    { body, token = this.#token, headers }: RequestOptions = {},
  ): Promise<Response> {
    this.requestCount++
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  /** The answer, where it was carried out; a refusal of what is not granted skips the rule. */
  async requestOk(method: string, path: string, asking?: RequestOptions): Promise<Response> {
    const answer = await this.request(method, path, asking)
    if (answer.status === 403) skip(`${method} ${path} is not granted to this token (403)`)
    const isDone = answer.status >= 200 && answer.status < 300
    expect(isDone, `${method} ${path} was answered ${answer.status} ${answer.text.slice(0, 120)}`)
    expect(answer.json !== undefined, `${method} ${path} was not answered with JSON: ${preview(answer.text)}`)
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
      this.results.push({ section, rule, verdict, detail: messageOf(error) })
      return undefined
    }
  }
}

function messageOf(error: unknown): string {
  if (error instanceof RuleViolation || error instanceof Skipped) return error.message
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
