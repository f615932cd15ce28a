import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

export interface Seen {
  status: number
  headers: Record<string, string>
  body: string
}

/** After this silence, the server has sent all it will send. */
const silenceMs = 700
/** How long the response to the plain request may take. */
const patienceMs = 60_000
const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: last\r\nConnection: close\r\n\r\n'

/** Sends the chunks, then a plain request that closes the connection. Returns all responses but the last. */
export function exchange(url: string, pieces: string[]): Promise<Seen[]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname).setNoDelay()
    let isSent = false
    let isLast = false
    // Once it is silent, it has responded to all complete requests and waits for the rest of another.
    socket.setTimeout(silenceMs).on('timeout', async () => {
      if (!isSent) return void socket.setTimeout(silenceMs)
      if (isLast) return void socket.destroy()
      isLast = true
      socket.setTimeout(patienceMs)
      // It may not have had time yet: a response on another connection shows that it had.
      await fetch(`${url}/healthz`).catch(() => {})
      socket.write(last)
    })
    socket.on('error', () => {})
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(answersIn(Buffer.concat(chunks).toString('latin1')).filter(isToForm)))
    socket.once('connect', async () => {
      for (const piece of pieces) {
        if (!socket.writable) break
        socket.write(piece, 'latin1')
        await turn()
      }
      isSent = true
    })
  })
}

function isToForm({ headers, status }: Seen): boolean {
  return headers['x-request-id'] !== 'last' && status >= 200
}

function answersIn(text: string): Seen[] {
  const seen: Seen[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at)
    if (end === -1) return [...seen, { status: 0, headers: {}, body: text.slice(at) }]
    const [first = '', ...lines] = text.slice(at, end).split('\r\n')
    const headers = Object.fromEntries(lines.map(headerIn))
    const length = Number(headers['content-length'] ?? 0)
    seen.push({ status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4, end + 4 + length) })
    at = end + 4 + length
  }
  return seen
}

function headerIn(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
