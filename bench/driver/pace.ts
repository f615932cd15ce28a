import type autocannon from 'autocannon'

type Client = autocannon.Client

export interface Pacer {
  /** The time from the moment the request was due to its answer, waiting for a free connection included. */
  sinceDue(client: Client, nowMs: number, ms: number): number
  stop(): void
}

/**
 * An even rate. autocannon's own sends a second's requests at once and then rests; here each request has a moment at
 * which it is due, and one that finds every connection busy waits, with its clock running.
 */
export function pace(clients: Client[], ratePerSecond: number): Pacer {
  const idle: Client[] = []
  const dueMs = new Map<Client, number>()
  // The first is due once every connection stands.
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
      // When more are due than there were connections for, this one goes out again at once.
      if (nextDueMs() <= nowMs) setImmediate(release)
      return due === undefined ? ms : nowMs - due
    },
    stop: () => clearInterval(timer),
  }
}
