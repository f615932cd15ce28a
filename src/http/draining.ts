import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionEvent } from './adapters/connection-event.ts'

/**
 * How long pending responses may take during a shutdown. Notice time and this limit together must be shorter than the
 * time after which a container is killed.
 */
const shutdownTimeoutMs = 5000
/** How old the last probe of `/readyz` may be. If it is older, a shutdown has no load balancer to wait for. */
const probeTimeoutMs = 60_000

/**
 * Graceful shutdown. In the notice time, `/readyz` returns 503, so that load balancers send no new requests. Then idle
 * connections are closed, and pending responses have a time limit. Also closes single connections, so that clients
 * spread over the worker processes.
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
    // TLS has two sockets: only the TCP socket exists before the handshake; only the TLSSocket counts `bytesRead`.
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

  /** Whether a load balancer has probed `/readyz` lately. Only then does a shutdown begin with a notice time. */
  get hasReadinessProbe(): boolean {
    return performance.now() - this.#probedAtMs < probeTimeoutMs
  }

  recordProbe(): void {
    this.#probedAtMs = performance.now()
  }

  /** Registers a function, called after the notice time, to close what Node does not consider idle, such as streams. */
  onNoticeOver(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Closes `count` connections, each after its next response. Clients reconnect, perhaps to another worker. */
  closeSurplus(count: number): void {
    this.#surplus = count
  }

  /** Must be called once per response: each call reduces the number that `closeSurplus` asked to close. */
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
    // Accepts no new connections, and closes the idle ones.
    const closed = new Promise((done) => this.#server.close(done))
    for (const listener of this.#listeners) listener()
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroySoon()
    const limit = new AbortController()
    await Promise.race([closed, sleep(shutdownTimeoutMs, undefined, { signal: limit.signal })])
    limit.abort()
    for (const socket of this.#sockets) socket.destroy()
  }
}
