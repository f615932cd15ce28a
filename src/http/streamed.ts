import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends parts as they come, no faster than they are taken. Whoever has enough of them hangs up. */
export function sendParts(reply: FastifyReply, parts: AsyncIterable<string>): FastifyReply {
  return reply.send(reply.request.method === 'HEAD' ? undefined : Readable.from(parts))
}
