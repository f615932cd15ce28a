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
  replayed?: boolean
}

export interface UnreliableProxy {
  url: string
  forwarded: Forwarded[]
  close(): void
}

/**
 * Starts a proxy in front of Atrium that loses the response to the first attempt of every write, after the write was
 * made, and responds 503 to the first read.
 */
export async function startUnreliableProxy(target: string): Promise<UnreliableProxy> {
  const forwarded: Forwarded[] = []
  const server = createServer((request, response) => {
    forward(target, request, response, forwarded).catch(() => request.socket.destroy())
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

async function forward(target: string, request: IncomingMessage, response: ServerResponse, forwarded: Forwarded[]) {
  const { method = '', url: path = '', headers } = request
  const body = await text(request)
  const isFirst = !forwarded.some((one) => one.method === method && (method === 'GET' || one.path === path))
  const one: Forwarded = { method, path, headers, body }
  forwarded.push(one)
  if (isFirst && method === 'GET') {
    return void response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('try again')
  }
  const answer = await fetch(target + path, { method, headers: sentOn(headers), ...(body !== '' && { body }) })
  one.status = answer.status
  one.replayed = answer.headers.has('idempotency-replayed')
  const content = await answer.text()
  if (isFirst) return void request.socket.destroy()
  response.writeHead(answer.status, returned(answer.headers)).end(content)
}

function sentOn(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['authorization', 'content-type', 'idempotency-key', 'atrium-cycle']
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])))
}

function returned(headers: Headers): Record<string, string> {
  const names = ['content-type', 'link', 'retry-after']
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) as string]] : [])))
}
