import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CheckRequest {
  method: string
  path: string
  token: string | undefined
  cycle: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any
}

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
export type Json = any

export interface CheckResponse {
  status: number
  json: Json
}

/** The behavior of a faulty server. It may forward a request to the correct one, once, repeatedly or not at all. */
export type Fault = (
  asked: CheckRequest,
  askRight: (asked: CheckRequest) => Promise<CheckResponse>,
) => Promise<CheckResponse>

/** Starts a proxy that behaves like the target, except for one fault. */
export async function startFaultyServer(target: string, crook: Fault): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => void answer(target, crook, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

async function answer(target: string, crook: Fault, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const { method = '', url: path = '', headers } = request
  const { 'atrium-cycle': cycle } = headers
  const asked = {
    method,
    path,
    token: headers.authorization,
    cycle: cycle?.toString(),
    body: text === '' ? undefined : parsed(text),
  }
  const { status, json } = await crook(asked, (right) => askRight(target, right))
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(json))
}

async function askRight(target: string, { method, path, token, cycle, body }: CheckRequest): Promise<CheckResponse> {
  const response = await fetch(target + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: token }),
      ...(cycle !== undefined && { 'atrium-cycle': cycle }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
