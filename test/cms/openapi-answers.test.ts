import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hasRole } from '../../src/domain/access/operator.ts'
import { cmsRoutes } from '../../src/http/cms/routes.ts'
import { cmsDocument } from '../../src/http/openapi/cms-document.ts'
import { type Asked, onEachEngine } from '../harness/atrium.ts'
import { sampleCall, typeOf, type World } from '../harness/cms-calls.ts'
import { documentedBy, type Node } from '../harness/openapi.ts'
import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { addOperator, type TestOperator } from '../harness/operators.ts'
import { startReceiver } from '../harness/receiver.ts'

const openapi: Node = JSON.parse(JSON.stringify(cmsDocument()))
const assertDocumented = documentedBy(openapi)
const unknown = '0192f0c1-2d3e-7abc-8def-0123456789ab'

const provider = await new TestOpenIdProvider().start()
const receiver = await startReceiver()
const settings = { ...provider.settings(), ATRIUM_WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' }

onEachEngine('responses of the CMS are as documented', { settings }, (atrium) => {
  let admin: TestOperator
  let viewer: TestOperator
  before(async () => {
    admin = await addOperator(atrium(), 'admin')
    viewer = await addOperator(atrium(), 'viewer')
  })

  for (const endpoint of cmsRoutes) {
    const { method, path, role, body } = endpoint
    // An endless stream, which has a test of its own.
    if (endpoint.response.type === 'text/event-stream') continue
    const operation = openapi.paths[path][method.toLowerCase()]
    const asking = async (request: string, asked: Asked) => {
      const answer = await atrium().ask(request, asked)
      assertDocumented(answer, operation)
      return answer
    }

    test(`${method} ${path}`, async () => {
      const world: World = { atrium: atrium(), admin, provider, receiver: receiver.url }
      const { request, asked } = await sampleCall(world, endpoint)
      const answer = await asking(request, asked)
      assert.equal(answer.status, 200, answer.text)
      if (method !== 'GET' || endpoint.response.type !== undefined) return
      const headers = { ...asked.headers, 'if-none-match': answer.headers.get('etag') ?? '' }
      assert.equal((await asking(request, { ...asked, headers })).status, 304)
    })

    test(`${method} ${path}, refused`, async () => {
      const request = `${method} ${path.replace(/\{\w+\}/g, unknown)}`
      const key = role === 'anyone' ? {} : { as: admin.key }
      const sent = body && { body: body.example, headers: typeOf(endpoint) }
      const statuses = [
        (await asking(`${request}?nonsense=1`, { ...key, ...sent })).status,
        (await asking(request, { ...key, ...sent, headers: { ...sent?.headers, 'if-match': '"other"' } })).status,
      ]
      if (body) statuses.push((await asking(request, { ...key, ...sent, body: '{"' })).status)
      if (role !== 'anyone') statuses.push((await asking(request, { ...sent })).status)
      if (role !== 'anyone' && !hasRole('viewer', role))
        statuses.push((await asking(request, { as: viewer.key })).status)
      assert.ok(
        statuses.every((status) => status < 500),
        statuses.join(),
      )
    })
  }
})
