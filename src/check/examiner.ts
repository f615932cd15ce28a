import { isObject } from '../domain/json.ts'

export interface Result {
  /** The section of the specification that states the rule. */
  section: string
  rule: string
  verdict: 'kept' | 'broken' | 'skipped'
  /** How the rule is broken, or why it was skipped. */
  detail: string
}

interface Response {
  status: number
  headers: Headers
  /** The parsed body; undefined when the body is not JSON. */
  json: unknown
  text: string
}

interface RequestOptions {
  body?: unknown
  /** The token to send in place of the examiner's own; null sends none. */
  token?: string | null
  headers?: Record<string, string>
}

class RuleViolation extends Error {}
class Skipped extends Error {}

/** Throws unless the condition holds. The current rule then counts as broken. */
export function expect(isSo: boolean, instead: string): asserts isSo {
  if (!isSo) throw new RuleViolation(instead)
}

/** Throws, so that the current rule counts as skipped. */
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

/** Formats a value on one line, cut off after 80 characters. */
export function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

const requestTimeoutMs = 30_000

export class Examiner {
  readonly results: Result[] = []
  /** Descriptions of the changes that the checks made in the installation, and of those they reverted. */
  readonly changes: string[] = []
  requestCount = 0
  readonly #baseUrl: string
  readonly #token: string

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')
    this.#token = token
  }

  /** Throws when there is no response at all, since no rule could be checked then. */
  async assertReachable(): Promise<void> {
    await this.request('GET', '/v1/facilities/').catch((error) => {
      throw new Error(`Cannot reach ${this.#baseUrl}: ${messageOf(error)}; check --base-url`)
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

  /** Returns a successful response with JSON. After a 403 (the token lacks a grant), the rule counts as skipped. */
  async requestOk(method: string, path: string, options?: RequestOptions): Promise<Response> {
    const response = await this.request(method, path, options)
    if (response.status === 403) skip(`${method} ${path} is not granted to this token (403)`)
    const isDone = response.status >= 200 && response.status < 300
    expect(isDone, `the response to ${method} ${path} has status ${response.status}: ${response.text.slice(0, 120)}`)
    expect(response.json !== undefined, `the response to ${method} ${path} is not JSON: ${preview(response.text)}`)
    return response
  }

  /** Returns undefined when the rule is broken or skipped. */
  async rule<T>(section: string, rule: string, check: () => Promise<T>): Promise<T | undefined> {
    try {
      const found = await check()
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
  return `no response (${cause instanceof Error ? cause.message : message})`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
