import { connect as connectInTheClear, type Socket } from 'node:net'
import { connect as connectEncrypted, type TLSSocket } from 'node:tls'
import type { Random } from '../../torture/random.ts'

/** How a client disconnects. A reset reaches the server at once and discards all unread bytes of both sides. */
export const endings = [
  'FIN behind the request',
  'FIN on the first byte of the response',
  'reset inside the request',
  'reset behind the request',
  'reset on the first byte of the response',
  'reset behind FIN, on the first byte of the response',
  'reset after the response',
  'reset inside the TLS handshake',
] as const

export type Ending = (typeof endings)[number]

/** Resolves once the server has responded to a request sent after this call. */
export type Pulse = () => Promise<void>

/** Concurrent callers share one request. */
export function pulseOf(url: string): Pulse {
  let waiting: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    waiting ??= last.then(() => {
      waiting = undefined
      last = healthOf(url)
      return last.then(() => {})
    })
    return waiting
  }
}

/** Sends the bytes, disconnects in this way and resolves once the connection is closed. Ignores the response. */
export async function connectAndEnd(
  url: string,
  bytes: string,
  ending: Ending,
  { random, pulse }: { random: Random; pulse: Pulse },
): Promise<void> {
  const { below, socket, opened } = open(url)
  const closed = new Promise<void>((resolve) => below.once('close', () => resolve()))
  if (ending === 'reset inside the TLS handshake') below.once('data', () => below.resetAndDestroy())
  await Promise.race([opened, closed])
  // There may be no response, as to half a request: then the time that other responses took is enough.
  const first = Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed, pulse().then(pulse)])
  socket.resume()
  const isReset = ending.startsWith('reset')
  const sent = ending === 'reset inside the request' ? bytes.slice(0, random.below(bytes.length + 1)) : bytes
  await written(socket, sent)
  if (ending === 'FIN behind the request' || ending.startsWith('reset behind FIN')) socket.end()
  if (ending.endsWith('of the response')) await first
  if (ending === 'reset after the response') await first.then(pulse)
  if (isReset) below.resetAndDestroy()
  else socket.end()
  // The server may send more than this client waits for.
  await Promise.race([closed, pulse().then(pulse)])
  below.destroy()
}

/** The TCP socket and the one that carries HTTP: the same without TLS. */
function open(url: string): { below: Socket; socket: Socket | TLSSocket; opened: Promise<void> } {
  const { hostname, port, protocol } = new URL(url)
  const below = connectInTheClear({ port: Number(port), host: hostname, allowHalfOpen: true }).setNoDelay()
  below.on('error', () => {})
  if (protocol === 'http:') return { below, socket: below, opened: once(below, 'connect') }
  const socket = connectEncrypted({ socket: below, rejectUnauthorized: false })
  socket.on('error', () => {})
  return { below, socket, opened: once(socket, 'secureConnect') }
}

function once(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()))
}

function written(socket: Socket, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    if (!socket.writable) return resolve()
    socket.once('close', resolve)
    socket.write(bytes, 'latin1', () => resolve())
  })
}

/** Sends GET /healthz on a new connection. */
export function healthOf(url: string): Promise<string> {
  const { below, socket, opened } = open(url)
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    below.once('close', () => resolve(text.slice(0, text.indexOf('\r\n'))))
    void opened.then(() => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))
    socket.on('end', () => socket.end())
  })
}
