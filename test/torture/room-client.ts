import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the harness checks its shape
  body: any
}

export interface Asked {
  body?: object
  key?: string
  headers?: Record<string, string>
}

/** One kept-alive connection, to one node after another. */
export class RoomClient {
  readonly #token: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  readonly #always: Record<string, string>

  constructor(token: string, always: Record<string, string> = {}) {
    this.#token = token
    this.#always = always
  }

  /** Undefined if the connection broke before the response was complete: the request may have taken effect. */
  ask(url: string, method: string, path: string, asked: Asked = {}): Promise<Answer | undefined> {
    const payload = asked.body && JSON.stringify(asked.body)
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(asked.key && { 'idempotency-key': asked.key }),
      ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      ...this.#always,
      ...asked.headers,
    }
    return new Promise((resolve) => {
      const broken = () => resolve(undefined)
      const sent = request(url + path, { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk)).on('error', broken)
        response.on('end', () => {
          const { statusCode = 0, headers: heads, complete } = response
          if (!complete) return broken()
          resolve({ status: statusCode, headers: heads, body: parsed(Buffer.concat(chunks).toString()) })
        })
      })
      sent.on('error', broken).end(payload)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}
