import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every shape
  body: any
}

type Respond = (received: Received, response: ServerResponse) => void

/** A receiver of webhooks: stores messages and responds 204, or as set for a path. */
export interface Receiver {
  url: string
  received: Received[]
  /** Sets the response of a path from now on. */
  answers(path: string, respond: Respond): void
  /** Resolves with the messages of a path, without pings, once they satisfy the condition. */
  until(path: string, condition: (received: Received[]) => boolean): Promise<Received[]>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, Respond>()
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const one = { path: request.url ?? '', headers: request.headers, ...(await bodyOf(request)) }
    received.push(one)
    const respond = answers.get(one.path) ?? (() => void response.writeHead(204).end())
    respond(one, response)
    for (const look of waiting) look()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // Does not keep the test process alive.
  server.unref()
  const at = (path: string) => received.filter((one) => one.path === path && one.body.type !== 'webhook.ping')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers: (path, respond) => void answers.set(path, respond),
    until: (path, condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition(at(path))) return
          waiting.delete(look)
          resolve(at(path))
        }
        waiting.add(look)
        look()
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return { text, body: JSON.parse(text || '{}') }
}

/** Verifies with the reference library of Standard Webhooks; throws if the signature is wrong. */
export function verify(secret: string, { text, headers }: Received): void {
  new Webhook(secret).verify(text, headers as Record<string, string>)
}
