import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface LineAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

export interface LineRequest {
  method: string
  path: string
  headers?: Record<string, string>
  /** Sent as JSON; a string is JSON already. */
  body?: object | string
}

const silenceMs = 30_000

/**
 * One kept-alive connection with one request at a time: a fraction of the cost of an HTTP client. A request is sent once
 * and never repeated, so that one without a response took effect at most once. When the server has closed the
 * connection, the next request opens a new one.
 */
export class Line {
  readonly #url: URL
  readonly #always: string
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #waiting: ((answer: LineAnswer | undefined) => void) | undefined

  /** Headers of every request. */
  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = new URL(url)
    this.#always = linesOf({ Host: this.#url.host, ...headers })
  }

  /** Undefined if there was no connection, or it ended or was silent before the response was complete. */
  async ask({ method, path, headers = {}, body }: LineRequest): Promise<LineAnswer | undefined> {
    const socket = await this.#connected().catch(() => undefined)
    if (socket === undefined) return undefined
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
    const length = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }
    const lines = this.#always + linesOf(body === undefined ? headers : { ...headers, ...length })
    const answered = new Promise<LineAnswer | undefined>((resolve) => {
      this.#waiting = resolve
    })
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${text}`)
    return answered
  }

  /** Closes the connection at once; a pending request resolves with undefined. */
  cut(): void {
    this.#socket?.destroy()
    this.#socket = undefined
    this.#settle(undefined)
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== undefined) return this.#socket
    const socket = connect(Number(this.#url.port), this.#url.hostname).setNoDelay()
    await once(socket, 'connect')
    this.#socket = socket
    this.#received = Buffer.alloc(0)
    socket.setTimeout(silenceMs, () => socket.destroy())
    socket.on('data', (bytes) => this.#socket === socket && this.#arrived(bytes))
    socket.on('error', () => {})
    socket.on('close', () => this.#socket === socket && this.cut())
    return socket
  }

  #arrived(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const found = answerIn(this.#received)
    if (found === undefined) return
    this.#received = this.#received.subarray(found.bytes)
    if (found.answer.headers.connection === 'close') {
      this.#socket?.destroy()
      this.#socket = undefined
    }
    this.#settle(found.answer)
  }

  #settle(answer: LineAnswer | undefined): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.(answer)
  }
}

function linesOf(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

/** The first response, once it is complete. */
function answerIn(received: Buffer): { answer: LineAnswer; bytes: number } | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const bytes = end + 4 + Number(headers['content-length'] ?? 0)
  if (received.length < bytes) return undefined
  const body = received.subarray(end + 4, bytes)
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  return { answer: { status: Number(first.split(' ')[1]), headers, text }, bytes }
}
