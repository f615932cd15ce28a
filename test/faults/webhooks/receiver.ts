import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../torture/random.ts'

const slowestMs = 40
/** Time until the end of a connection is noticed. */
const noticeMs = 10

/** A slow receiver: a message counts as accepted once its response could still be sent. */
export class SlowReceiver {
  /** The accepted messages of each path, in order, with duplicates. */
  readonly taken = new Map<string, string[]>()
  /** Messages whose sender was gone before the response. */
  cutOff = 0
  readonly #waiting = new Set<() => void>()
  readonly #random: Random
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = JSON.parse(Buffer.concat(chunks).toString())
    this.#arrived++
    this.#tell()
    await sleep(this.#random.below(slowestMs))
    await this.#held?.promise
    if (response.destroyed) {
      this.cutOff++
      return
    }
    if (event.type !== 'webhook.ping') this.#take(request.url ?? '', event.data.new)
    response.writeHead(204).end()
  })
  #arrived = 0
  #held: PromiseWithResolvers<void> | undefined

  constructor(random: Random) {
    this.#random = random
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  #take(path: string, name: string): void {
    this.taken.set(path, [...(this.taken.get(path) ?? []), name])
    this.#tell()
  }

  #tell(): void {
    for (const look of this.#waiting) look()
  }

  /** Resolves when the next message arrives, before its response. */
  arrival(signal: AbortSignal): Promise<void> {
    const before = this.#arrived
    return this.#until(() => this.#arrived > before, signal)
  }

  /** Holds responses back until released: a node killed meanwhile does not know whether its message was accepted. */
  hold(): void {
    this.#held = Promise.withResolvers()
  }

  /** Resolves once it is known for every message whether its sender is still there. */
  async release(): Promise<void> {
    await sleep(noticeMs)
    this.#held?.resolve()
    this.#held = undefined
    await sleep(slowestMs)
  }

  /** Resolves when every path has accepted this message. */
  whenTaken(name: string, paths: string[], signal: AbortSignal): Promise<void> {
    return this.#until(() => paths.every((path) => this.taken.get(path)?.includes(name)), signal)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!signal.aborted && !isSo()) return
        this.#waiting.delete(look)
        signal.removeEventListener('abort', look)
        resolve()
      }
      this.#waiting.add(look)
      signal.addEventListener('abort', look)
      look()
    })
  }
}
