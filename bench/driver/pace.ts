import type autocannon from 'autocannon'

type Client = autocannon.Client

export interface Pacer {
  /** Latency from the scheduled time of the request, including the wait for a free connection. */
  sinceDue(client: Client, nowMs: number, ms: number): number
  stop(): void
}

/**
 * Sends at a constant rate (open loop). autocannon's own sends a second's requests at once and then pauses; here each
 * request has a scheduled time, and waiting for a connection counts as latency (no coordinated omission).
 */
export function pace(clients: Client[], ratePerSecond: number): Pacer {
  const idle: Client[] = []
  const dueMs = new Map<Client, number>()
  // The first request is due once all connections are open.
  let startMs = Infinity
  let sent = 0
  const nextDueMs = () => startMs + (sent * 1000) / ratePerSecond
  const send = (client: Client) => {
    dueMs.set(client, nextDueMs())
    sent++
    client.reqsMadeThisSecond = 0
    client.paused = false
    client._doRequest()
  }
  for (const client of clients) {
    client.rate = 1
    client.reqsMadeThisSecond = 1
  }
  const release = () => {
    for (const client of clients) if (client.paused && !idle.includes(client)) idle.push(client)
    if (startMs === Infinity && idle.length === clients.length) startMs = performance.now()
    while (idle.length > 0 && nextDueMs() <= performance.now()) send(idle.shift() as Client)
  }
  const timer = setInterval(release, 1)
  return {
    sinceDue: (client, nowMs, ms) => {
      const due = dueMs.get(client)
      // When requests are overdue, the freed connection sends the next one at once.
      if (nextDueMs() <= nowMs) setImmediate(release)
      return due === undefined ? ms : nowMs - due
    },
    stop: () => clearInterval(timer),
  }
}
