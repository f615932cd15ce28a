import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, compress } from './compression.ts'
import { isKnown } from './conditions.ts'

/** What an endpoint answers; the status of every success is 200. */
export interface Answer {
  json: string
  etag?: string | undefined
  headers?: Record<string, string>
}

const json = 'application/json; charset=utf-8'

/** `unchanged` is called before a 304 leaves. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  unchanged: () => void,
): Promise<FastifyReply> {
  const reading = request.method === 'GET' || request.method === 'HEAD'
  reply.headers({ ...answer.headers, vary: reply.getHeader('vary') ?? varies })
  reply.header('cache-control', reading ? 'private, no-cache' : 'no-store')
  const bytes = Buffer.from(answer.json)
  const encoding = chooseEncoding(request.headers['accept-encoding'], bytes.length)
  if (answer.etag !== undefined) reply.header('etag', marked(answer.etag, encoding))
  if (reading && answer.etag !== undefined && isKnown(request.headers, answer.etag)) {
    unchanged()
    return reply.code(304).send()
  }
  reply.type(json)
  if (encoding === undefined) return reply.send(bytes)
  return reply.header('content-encoding', encoding).send(await compress(bytes, encoding))
}

export const varies = 'Authorization, Accept-Encoding'

/** A strong tag stands for exact bytes, so each encoding has its own. Our tags hold no dot but this one. */
function marked(etag: string, encoding: string | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}.${encoding}"`
}
