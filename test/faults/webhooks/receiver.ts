import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../torture/random.ts'

const slowestMs = 40
/** Until the end of a connection is noticed. */
const noticeMs = 10

/** Takes what comes and is slow about it: something counts as taken once it could still be answered. */
export class SlowReceiver {
  /** What each path has taken, in order, doubles included. */
  readonly taken = new Map<string, string[]>()
  /** Messages whose sender was gone before they could be answered. */
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

  /** When the next message is on its way in, not yet answered. */
  arrival(signal: AbortSignal): Promise<void> {
    const before = this.#arrived
    return this.#until(() => this.#arrived > before, signal)
  }

  /** Answers nothing until it is released: whoever is ended meanwhile has not heard whether it was taken. */
  hold(): void {
    this.#held = Promise.withResolvers()
  }

  /** Once it is known of every message whether its sender is still there. */
  async release(): Promise<void> {
    await sleep(noticeMs)
    this.#held?.resolve()
    this.#held = undefined
    await sleep(slowestMs)
  }

  /** When every path has taken this one. */
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
