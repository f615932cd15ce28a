import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { receiverOfSuite, someWebhook, webhookSettings } from '../harness/some-webhook.ts'
import { playground } from '../sandbox/fixture.ts'

const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'))
const header = { $ref: '#/components/parameters/Idempotency-Key' }

for (const { method, path, idempotent } of partnerEndpoints) {
  test(`the document says whether ${method} ${path} takes an Idempotency-Key`, () => {
    const { parameters } = paths[path][method.toLowerCase()]
    assert.equal(
      parameters.some(({ $ref }: typeof header) => $ref === header.$ref),
      idempotent === true,
    )
  })
}

onEachEngine('routes without an Idempotency-Key', { settings: webhookSettings }, (atrium) => {
  const receiver = receiverOfSuite()
  const twice = async (request: string, as: string, body: object, key: string) => {
    const asked = { as, body, headers: { 'idempotency-key': key } }
    const answers = [await atrium().ask(request, asked), await atrium().ask(request, asked)]
    for (const { status, headers, text } of answers) {
      assert.deepEqual([status, headers.get('idempotency-replayed')], [200, null], text)
    }
    return answers.map(({ body }) => body)
  }
  // The second key is invalid where the header is read.
  const keys = ['k', 'x'.repeat(256)]

  test('the routes of a webhook ignore the header', async () => {
    const webhook = `/v1/webhooks/${await someWebhook(atrium(), receiver())}`
    for (const key of keys) {
      const [first, second] = await twice(`POST ${webhook}/rotate`, 'everything', {}, key)
      assert.notEqual(first.secret, second.secret)
      await twice(`POST ${webhook}/ping`, 'everything', {}, key)
    }
  })

  test('the routes of a sandbox ignore the header', async () => {
    const { token } = await playground(atrium(), 'everything', ['lyon-01'])
    for (const key of keys) {
      const [first, second] = await twice('POST /v1/sandbox/clock', token, { advance: 'PT24H' }, key)
      assert.ok(second.clock.ahead_seconds - first.clock.ahead_seconds >= 86_400)
      await twice('POST /v1/sandbox/reset', token, {}, key)
    }
  })
})
