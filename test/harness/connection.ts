import { once } from 'node:events'
import { connect } from 'node:net'
import { parseRaw, type RawAnswer } from './raw.ts'

/** A TCP connection that sends requests in pieces and reads responses one by one. */
export interface Connection {
  send(text: string): void
  /** Returns the next response; undefined after a timeout. */
  answer(withinMs?: number): Promise<RawAnswer | undefined>
  close(): void
}

export async function connectTo(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {})
  const take = (): RawAnswer | undefined => {
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const length = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1] ?? 0)
    if (received.length < length) return undefined
    const answer = parseRaw(received.slice(0, length))
    received = received.slice(length)
    return answer
  }
  return {
    send: (text) => void socket.write(text, 'latin1'),
    answer: async (withinMs = 30_000) => {
      const deadlineMs = performance.now() + withinMs
      for (;;) {
        const answer = take()
        if (answer !== undefined || performance.now() > deadlineMs || socket.closed) return answer
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    close: () => socket.destroy(),
  }
}
