import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionEvent } from './adapters/connection-event.ts'

/** Limit for pending responses. With the notice time it stays below the grace period of container runtimes. */
const shutdownTimeoutMs = 5000
/** How old the last probe of a load balancer may be. After that, no load balancer is assumed. */
const probeTimeoutMs = 60_000

/**
 * Graceful shutdown. First comes the notice time: `/readyz` responds 503, so that load balancers send no new requests,
 * and all that still arrive are served. Then idle connections are closed and pending responses are awaited, up to a
 * limit. Also closes single connections, to spread them over the workers of a node.
 */
export class Draining {
  readonly #server: Server
  readonly #noticeSeconds: number
  readonly #sockets = new Set<Socket>()
  readonly #listeners: (() => void)[] = []
  #begun = false
  #probedAtMs = Number.NEGATIVE_INFINITY
  #surplus = 0

  constructor(server: Server, noticeSeconds: number) {
    this.#server = server
    this.#noticeSeconds = noticeSeconds
    // A TLS connection has two sockets: before the handshake only the TCP socket, after it `bytesRead` is the
    // TLSSocket's.
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

  /** Whether a load balancer has probed `/readyz` lately: only then is there a notice time. */
  get hasReadinessProbe(): boolean {
    return performance.now() - this.#probedAtMs < probeTimeoutMs
  }

  recordProbe(): void {
    this.#probedAtMs = performance.now()
  }

  /**
   * Adds a listener for the end of the notice time, for connections that Node does not count as idle, such as streams.
   */
  onNoticeOver(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Closes `count` connections after their next response. Their callers reconnect, perhaps to another worker. */
  closeSurplus(count: number): void {
    this.#surplus = count
  }

  /** Whether a response is the last on its connection. Called once per response, as it counts the surplus down. */
  endsConnection(): boolean {
    if (this.#begun) return true
    if (this.#surplus === 0) return false
    this.#surplus--
    return true
  }

  async close(): Promise<void> {
    this.#begun = true
    if (this.hasReadinessProbe) await sleep(this.#noticeSeconds * 1000)
    if (!this.#server.listening) return
    // Accepts no new connections and closes idle ones.
    const closed = new Promise((done) => this.#server.close(done))
    for (const listener of this.#listeners) listener()
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroySoon()
    const limit = new AbortController()
    await Promise.race([closed, sleep(shutdownTimeoutMs, undefined, { signal: limit.signal })])
    limit.abort()
    for (const socket of this.#sockets) socket.destroy()
  }
}
