import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Fate of one request: forwarded, carried out with its response lost, or replaced by a given response. */
export type Mishap = 'none' | 'cut' | { status: number; headers?: Record<string, string> }

/** A proxy to a server that injects the given faults, one per request. */
export class Road {
  readonly url: string
  /** Methods and paths of the requests so far. */
  readonly seen: string[] = []
  mishaps: Mishap[] = []
  readonly #server: Server

  static async to(url: string): Promise<Road> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Road(server, url)
  }

  private constructor(server: Server, target: string) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (incoming, outgoing) => {
      this.seen.push(`${incoming.method} ${incoming.url}`)
      const mishap = this.mishaps.shift() ?? 'none'
      if (typeof mishap === 'object') outgoing.writeHead(mishap.status, mishap.headers).end('<html>not ours')
      else pass(target, incoming, outgoing, mishap === 'cut')
    })
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse, isCut: boolean): void {
  const { method, headers, url = '' } = incoming
  const onward = request(target + url, { method, headers: { ...headers, connection: 'close' } }, (answer) => {
    if (isCut) answer.resume().on('end', () => outgoing.destroy())
    else answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers))
  })
  incoming.pipe(onward)
}
