import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Refusal } from '../domain/refusal.ts'

const jsonType = /^application\/json\s*(;.*)?$/i

/** Reads the body, now that everything else has been found in order. */
export async function readBody({
  headers,
  bytes,
}: {
  headers: IncomingHttpHeaders
  bytes(): Promise<Buffer>
}): Promise<Buffer> {
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw new Refusal('body_type_unsupported', 'The body must be sent with "Content-Type: application/json".')
  }
  return bytes()
}

/** Takes the body off the socket, where it was left until now. */
export function collectBody(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) return Promise.reject(tooLarge(bodyBytes))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= bodyBytes) return
      // The rest is left where it is: the answer ends the connection.
      request.removeAllListeners('data').pause()
      reject(tooLarge(bodyBytes))
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const broken = () => reject(new Refusal('request_timeout', 'The body did not arrive completely.'))
    request.on('error', broken)
    request.on('close', () => request.complete || broken())
  })
}

function tooLarge(bodyBytes: number): Refusal {
  return new Refusal('body_too_large', `The body must have at most ${bodyBytes} bytes.`)
}
