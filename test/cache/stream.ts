import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 100 })

/** The body of an answer that must be a success. */
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
 * A number that only grows. Whoever reads it must find at least what was acknowledged, or was seen by anybody, before
 * the read was sent, and at most what was sent before it was answered.
 */
export class Counter {
  sent = 0
  floor = 0

  async write(send: (value: number) => Promise<unknown>): Promise<void> {
    const value = ++this.sent
    await send(value)
    this.floor = Math.max(this.floor, value)
  }

  /** To be called when the read is sent; what it gives, when the answer is there. */
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
