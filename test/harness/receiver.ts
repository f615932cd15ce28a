import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  body: any
}

type Respond = (received: Received, response: ServerResponse) => void

/** Somebody who takes webhooks: keeps what comes and answers 204, unless told otherwise for a path. */
export interface Receiver {
  url: string
  received: Received[]
  /** How a path answers from now on. */
  answers(path: string, respond: Respond): void
  /** Resolves with what has come to a path, without pings, once it satisfies the condition. */
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
  // Whoever ends without closing it is not kept from it.
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

/** By the package of those who wrote the rules; throws where the signature is not right. */
export function verify(secret: string, { text, headers }: Received): void {
  new Webhook(secret).verify(text, headers as Record<string, string>)
}
