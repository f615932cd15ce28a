import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 100 })

/** Returns the body of a response that must be successful. */
export function call<T>(method: string, url: string, token: string, body?: object): Promise<T> {
  const payload = body && JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent, headers }, async (response) => {
      const text = Buffer.concat(await Array.fromAsync(response)).toString()
      if (response.statusCode === 200) resolve(JSON.parse(text))
      else reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`))
    })
    asked.on('error', reject).end(payload)
  })
}

/**
 * Checks the linearizability of a number that only grows. A read must return at least the highest value that was
 * acknowledged or read before it was sent, and at most the highest that was sent before its response.
 */
export class Counter {
  sent = 0
  floor = 0

  async write(send: (value: number) => Promise<unknown>): Promise<void> {
    const value = ++this.sent
    await send(value)
    this.floor = Math.max(this.floor, value)
  }

  /** Call it when a read is sent, and the returned function when the response has arrived. */
  reading(what: string): (found: number) => void {
    const { floor } = this
    return (found) => {
      if (found < floor) throw new Error(`${what} showed ${found} after ${floor} was known`)
      if (found > this.sent) throw new Error(`${what} showed ${found}, which was never sent`)
      this.floor = Math.max(this.floor, found)
    }
  }
}

export function release(): void {
  agent.destroy()
}
