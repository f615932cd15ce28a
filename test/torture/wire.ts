import { connect, type Socket } from 'node:net'

/** A response as it was on the wire. */
export interface WireAnswer {
  status: number
  /** The status line and the headers, without the empty line. */
  head: string
  headers: Map<string, string>
  body: string
}

export interface Sent {
  /** The whole request. Strings are sent as UTF-8. */
  bytes: string | Buffer
  /** A response to HEAD has no body. */
  isHead?: boolean
  /** Closes the sending side afterwards, so that the server cannot wait for more. */
  isLast?: boolean
}

/**
 * One connection over which whole requests are sent as they are, one after the other. When the server closes it, the
 * next request opens another.
 */
export class Wire {
  readonly #port: number
  readonly #host: string
  readonly #answerWithinMs: number
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #settle: ((answer: WireAnswer | undefined) => void) | undefined
  #isHead = false

  constructor(url: string, answerWithinMs = 20_000) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
    this.#answerWithinMs = answerWithinMs
  }

  /** The response; undefined when the connection ended, or after a timeout. */
  async ask(sent: Sent): Promise<WireAnswer | undefined> {
    // An idle connection may just have been closed by the server: only a new one is conclusive.
    const waited = this.#socket && (await this.#over(this.#socket, sent))
    if (waited !== undefined) return waited
    const socket = await this.#open()
    return socket && this.#over(socket, sent)
  }

  async #over(socket: Socket, { bytes, isHead = false, isLast = false }: Sent): Promise<WireAnswer | undefined> {
    this.#isHead = isHead
    const answered = new Promise<WireAnswer | undefined>((resolve) => {
      this.#settle = resolve
    })
    if (isLast) socket.end(bytes)
    else socket.write(bytes)
    const answer = await answered
    if (isLast || answer === undefined || answer.headers.get('connection') === 'close') this.close()
    return answer
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
    this.#received = Buffer.alloc(0)
  }

  async #open(): Promise<Socket | undefined> {
    const socket = connect(this.#port, this.#host).setNoDelay()
    socket.on('error', () => {})
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('close', () => resolve(false))
    })
    if (!isConnected) return undefined
    this.#socket = socket
    socket.setTimeout(this.#answerWithinMs, () => socket.destroy())
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.close()
      this.#answered(undefined)
    })
    socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#look()
    })
    return socket
  }

  #look(): void {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = this.#received.toString('latin1', 0, end)
    const status = Number(head.slice(9, 12))
    if (status < 200) {
      this.#received = this.#received.subarray(end + 4)
      return this.#look()
    }
    const headers = headersIn(head)
    const hasBody = !this.#isHead && status !== 204 && status !== 304
    const rest = this.#received.subarray(end + 4)
    const taken = hasBody ? bodyIn(rest, headers) : { body: '', length: 0 }
    if (taken === undefined) return
    this.#received = rest.subarray(taken.length)
    this.#answered({ status, head, headers, body: taken.body })
  }

  #answered(answer: WireAnswer | undefined): void {
    const settle = this.#settle
    this.#settle = undefined
    settle?.(answer)
  }
}

function headersIn(head: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
  }
  return headers
}

/** The body and its size on the wire; undefined while more has to arrive. */
function bodyIn(bytes: Buffer, headers: Map<string, string>): { body: string; length: number } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunksIn(bytes)
  const length = Number(headers.get('content-length') ?? 0)
  return bytes.length < length ? undefined : { body: bytes.toString('utf8', 0, length), length }
}

function chunksIn(bytes: Buffer): { body: string; length: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { body: Buffer.concat(chunks).toString(), length: end + 2 }
    chunks.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
