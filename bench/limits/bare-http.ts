/**
 * Reference server, as fast as node:http can be: sends constant status, headers and bytes by method. Takes the name
 * of a file with the responses; with a number after it, that many processes share the port.
 */
import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sample } from './sample.ts'

/** Node writes short strings faster than buffers, and long buffers faster than strings. */
const maxStringBytes = 16_384

const [file = '', processes = '1'] = process.argv.slice(2)

if (cluster.isPrimary && processes !== '1') forkAll(Number(processes))
else serve(JSON.parse(readFileSync(file, 'utf8')), Number(process.env.BENCH_PORT ?? 0))

function forkAll(count: number): void {
  let listening = 0
  cluster.on('listening', (_worker, { port }) => {
    listening++
    if (listening === count) console.log(`ready on http://127.0.0.1:${port}`)
  })
  for (let index = 0; index < count; index++) cluster.fork()
}

function serve(samples: Sample[], port: number): void {
  const handlers = Object.fromEntries(samples.map((sample) => [sample.method, handlerOf(sample)]))
  const server = createServer((request, response) => {
    const handler = handlers[request.method ?? '']
    if (handler === undefined) response.writeHead(500).end()
    else handler(request, response)
  })
  server.listen(port, '127.0.0.1', () => {
    if (cluster.isPrimary) console.log(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  process.on('SIGTERM', () => process.exit(0))
}

function handlerOf({ status, headers, body, readsBody }: Sample) {
  const bytes = Buffer.from(body)
  const constant = bytes.length > maxStringBytes ? bytes : body
  const sized = bytes.length > 0 ? [...headers, 'content-length', String(bytes.length)] : headers
  const respond = (response: ServerResponse) => {
    response.writeHead(status, sized)
    response.end(constant)
  }
  if (!readsBody) return (_request: IncomingMessage, response: ServerResponse) => respond(response)
  return (request: IncomingMessage, response: ServerResponse) => {
    request.on('end', () => respond(response))
    request.resume()
  }
}
