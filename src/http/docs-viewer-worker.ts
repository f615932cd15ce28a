import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'

// The package hands its script over as a route and in no other way.
const app = fastify()
await app.register(scalar, { routePrefix: '/viewer', configuration: { url: '/openapi.json' } })
const { body } = await app.inject('/viewer/js/scalar.js')
parentPort?.postMessage(body)
