import type { PlainRequest } from '../work.ts'

/** A recorded response, which the reference server repeats. */
export interface Sample {
  method: string
  status: number
  /** Alternating names and values, without headers that Node adds. */
  headers: string[]
  body: string
  /** Whether the request has a body, which is read before responding. */
  readsBody: boolean
}

const written = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length'])

export async function sampleOf(url: string, { path, ...request }: PlainRequest): Promise<Sample> {
  // By default fetch requests a compressed body, unlike the clients of the benchmark.
  const headers = { ...request.headers, 'accept-encoding': 'identity' }
  const response = await fetch(url + path, { ...request, headers })
  const body = await response.text()
  if (!response.ok && response.status !== 304) {
    throw new Error(`${request.method} ${path} responds ${response.status}: ${body.slice(0, 300)}`)
  }
  return {
    method: request.method,
    status: response.status,
    headers: [...response.headers].filter(([name]) => !written.has(name)).flat(),
    body,
    readsBody: request.body !== undefined,
  }
}
