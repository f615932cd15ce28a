import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Timeout for the first byte of a response; used up only when none arrives. */
const patienceMs = 30_000

/** Sends raw bytes, which no HTTP client would send, and reads until the server closes or is silent. */
export function sendRaw(url: string, bytes: string | Buffer, silenceMs = 300): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.on('data', (chunk) => {
      socket.setTimeout(silenceMs)
      text += chunk.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

/** Sends everything before it reads, as clients do that ignore early responses. */
export function sendThenRead(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const read = () =>
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
      })
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('the response did not come')))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write(bytes, read)
  })
}

export function parseRaw(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}
