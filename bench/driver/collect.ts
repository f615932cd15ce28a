import { Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CollectJob } from '../job.ts'
import type { PlainRequest } from '../work.ts'

/** Returns responses in the order of the requests. */
export async function collect({ url, connections, requests, take }: CollectJob): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const taken: string[] = new Array(requests.length)
  let next = 0
  const worker = async () => {
    for (let index = next++; index < requests.length; index = next++) {
      const { etag, body } = await ask(agent, url, requests[index] as PlainRequest)
      taken[index] = take === 'etag' ? etag : body
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  agent.destroy()
  return taken
}

function ask(agent: Agent, url: string, plain: PlainRequest): Promise<{ etag: string; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ etag: string; body: string }>()
  const { method, path, headers, body } = plain
  const sized = body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) }
  const asked = httpRequest(url + path, { agent, method, headers: sized }, async (response) => {
    const body = await text(response)
    if ((response.statusCode ?? 0) >= 300) {
      reject(new Error(`${method} ${path} responds ${response.statusCode}: ${body.slice(0, 300)}`))
    }
    resolve({ etag: response.headers.etag ?? '', body })
  })
  asked.on('error', reject)
  asked.end(body)
  return promise
}
