import type { FastifyInstance } from 'fastify'
import { varies } from './answer.ts'

const exposed = [
  'ETag',
  'Link',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
].join(', ')
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Atrium-Cycle',
  'X-Request-Id',
].join(', ')

/** Lets pages of the named origins call `/v1`. Tokens travel in a header, so no credentials mode is needed. */
export function addCors(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', `Origin, ${varies}`)
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    reply.header('access-control-allow-methods', 'GET, HEAD, POST, PATCH, DELETE')
    reply.header('access-control-allow-headers', allowedHeaders).header('access-control-max-age', '600')
    await reply.code(204).send()
  })
}
