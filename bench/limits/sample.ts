import type { PlainRequest } from '../work.ts'

/** What a server really answered to one request, for the limit to answer the same. */
export interface Sample {
  method: string
  status: number
  /** Names and values in turn, without those that Node writes by itself. */
  headers: string[]
  body: string
  /** The request has a body, which is read to its end before the answer. */
  readsBody: boolean
}

const written = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length'])

export async function sampleOf(url: string, { path, ...request }: PlainRequest): Promise<Sample> {
  // fetch would ask for a compressed body otherwise, which no client of the benchmark does.
  const headers = { ...request.headers, 'accept-encoding': 'identity' }
  const response = await fetch(url + path, { ...request, headers })
  const body = await response.text()
  if (!response.ok && response.status !== 304) {
    throw new Error(`${request.method} ${path} answers ${response.status}: ${body.slice(0, 300)}`)
  }
  return {
    method: request.method,
    status: response.status,
    headers: [...response.headers].filter(([name]) => !written.has(name)).flat(),
    body,
    readsBody: request.body !== undefined,
  }
}
