import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: responses of any kind
type Json = any

/** A client that counts its calls and the bytes that it sends and receives, over at most so many connections. */
export class Wire {
  calls = 0
  readonly #url: string
  readonly #token: string
  readonly #agent: Agent
  readonly #sockets = new Set<Socket>()

  constructor(url: string, token: string, connections = 1) {
    this.#url = url
    this.#token = token
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  get bytes(): number {
    return [...this.#sockets].reduce((sum, socket) => sum + socket.bytesRead + socket.bytesWritten, 0)
  }

  /** Sends a request and returns the JSON of the response. Throws if its status is not 200. */
  async send(method: string, path: string, body?: object): Promise<Json> {
    this.calls++
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const { status, chunks } = await new Promise<{ status: number; chunks: Buffer[] }>((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, chunks }))
        response.on('error', reject)
      })
      sent.on('socket', (socket) => this.#sockets.add(socket))
      sent.on('error', reject)
      sent.end(text)
    })
    const received = Buffer.concat(chunks).toString()
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${received.slice(0, 300)}`)
    return JSON.parse(received)
  }

  close(): void {
    this.#agent.destroy()
  }
}
