import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionEvent } from './adapters/connection-event.ts'

/** For what is under way once nothing new is expected. With the notice it stays below what container runtimes wait. */
const patienceMs = 5000
/** A balancer that asked so long ago asks no more. */
const watchedMs = 60_000

/**
 * Graceful shutdown, and the end of single connections. A node that stops is first given notice time, in which whoever
 * watches /readyz sees that it is going while all are still answered; then idle connections are closed and what is under
 * way is waited for, up to a limit.
 */
export class Draining {
  readonly #server: Server
  readonly #noticeSeconds: number
  readonly #sockets = new Set<Socket>()
  readonly #listeners: (() => void)[] = []
  #begun = false
  #watchedAtMs = Number.NEGATIVE_INFINITY
  #surplus = 0

  constructor(server: Server, noticeSeconds: number) {
    this.#server = server
    this.#noticeSeconds = noticeSeconds
    // Over TLS there are two to a connection: the one below may be all there is yet, the other knows if it was spoken on.
    for (const event of new Set(['connection', connectionEvent(server)])) {
      server.on(event, (socket: Socket) => {
        this.#sockets.add(socket)
        socket.once('close', () => this.#sockets.delete(socket))
      })
    }
  }

  get begun(): boolean {
    return this.#begun
  }

  /** A balancer has asked lately whether this node is ready, and will see that it no longer is. */
  get isWatched(): boolean {
    return performance.now() - this.#watchedAtMs < watchedMs
  }

  noteWatcher(): void {
    this.#watchedAtMs = performance.now()
  }

  /** Called when nothing new is expected any more, for what waits on connections that the server does not call idle. */
  onLeave(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Lets the next responses end their connections, so that their callers connect again, perhaps to another process. */
  endSurplus(count: number): void {
    this.#surplus = count
  }

  /** Whether this response is the last on its connection. */
  endsConnection(): boolean {
    if (this.#begun) return true
    if (this.#surplus === 0) return false
    this.#surplus--
    return true
  }

  async close(): Promise<void> {
    this.#begun = true
    if (this.isWatched) await sleep(this.#noticeSeconds * 1000)
    if (!this.#server.listening) return
    // Takes no new connections, and closes those that have been answered and wait.
    const closed = new Promise((done) => this.#server.close(done))
    for (const listener of this.#listeners) listener()
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroySoon()
    const limit = new AbortController()
    await Promise.race([closed, sleep(patienceMs, undefined, { signal: limit.signal })])
    limit.abort()
    for (const socket of this.#sockets) socket.destroy()
  }
}
