import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Forwarded {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** What Atrium responded; undefined if the proxy refused the request. */
  status?: number
  /** What the proxy sent when it refused the request. */
  retryAfter?: string
  replayed?: boolean
}

/** Longer than the first three pauses of a program that ignores the date. */
const maintenanceSeconds = 3

export interface UnreliableProxy {
  url: string
  forwarded: Forwarded[]
  close(): void
}

/**
 * Starts a proxy in front of Atrium that loses the response to the first attempt of every write, after the write was
 * made. Responds 503 to the first read until the time in its Retry-After, a date, and then once with a number of seconds.
 */
export async function startUnreliableProxy(target: string): Promise<UnreliableProxy> {
  const forwarded: Forwarded[] = []
  const state: State = { forwarded }
  const server = createServer((request, response) => {
    forward(target, request, response, state).catch(() => request.socket.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwarded,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface State {
  forwarded: Forwarded[]
  /** The date from which reads are let through; set by the first one. */
  until?: Date
}

async function forward(target: string, request: IncomingMessage, response: ServerResponse, state: State) {
  const { method = '', url: path = '', headers } = request
  const { forwarded } = state
  const body = await text(request)
  const isFirst = method !== 'GET' && !forwarded.some((one) => one.method === method && one.path === path)
  const one: Forwarded = { method, path, headers, body }
  const retryAfter = method === 'GET' ? refusal(state) : undefined
  forwarded.push(one)
  if (retryAfter !== undefined) {
    one.retryAfter = retryAfter
    return void response.writeHead(503, { 'retry-after': retryAfter, 'content-type': 'text/plain' }).end('try again')
  }
  const answer = await fetch(target + path, { method, headers: sentOn(headers), ...(body !== '' && { body }) })
  one.status = answer.status
  one.replayed = answer.headers.has('idempotency-replayed')
  const content = await answer.text()
  if (isFirst) return void request.socket.destroy()
  response.writeHead(answer.status, returned(answer.headers)).end(content)
}

/** Returns the Retry-After with which a read is refused; undefined if it is not. */
function refusal(state: State): string | undefined {
  state.until ??= new Date(Math.floor(Date.now() / 1000 + maintenanceSeconds) * 1000)
  if (Date.now() < state.until.getTime()) return state.until.toUTCString()
  return state.forwarded.some(({ retryAfter }) => retryAfter === '1') ? undefined : '1'
}

function sentOn(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['authorization', 'content-type', 'idempotency-key', 'atrium-cycle']
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])))
}

function returned(headers: Headers): Record<string, string> {
  const names = ['content-type', 'link', 'retry-after']
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) as string]] : [])))
}
