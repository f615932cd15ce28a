import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { cmsRoutes } from '../../src/http/cms/routes.ts'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { addOperator } from '../harness/operators.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { receiverOfSuite, someWebhook, webhookSettings } from '../harness/some-webhook.ts'
import { playground } from '../sandbox/fixture.ts'

const service = '0192f0c1-2d3e-7abc-8def-0123456789ab'

onEachEngine('a parameter that the route does not take', { settings: webhookSettings }, (atrium) => {
  const receiver = receiverOfSuite()
  let webhook: string
  let sandbox: string
  let key: string
  before(async () => {
    webhook = await someWebhook(atrium(), receiver())
    sandbox = (await playground(atrium(), 'everything', ['lyon-01'])).token
    key = (await addOperator(atrium(), 'admin')).key
  })
  const refused = async (request: string, as: string) => {
    const stored = await dump(atrium().service.db)
    const answer = await atrium().ask(`${request}?dry_run=true`, { as })
    assertProblem(answer, 400, 'parameter_unknown')
    assert.match(answer.body.detail, /^The query parameter "dry_run" is not known\. This route takes/)
    assert.equal(await dump(atrium().service.db), stored)
  }

  for (const { method, path, query } of partnerEndpoints) {
    if (query.includes('dry_run')) continue
    test(`${method} ${path}?dry_run=true`, () => {
      const concrete = path
        .replace('{facilityExternalId}', path.includes('bulk') ? 'chu-nord' : 'lyon-01')
        .replace('{areaExternalId}', 'chu-nord-214')
        .replace('{serviceId}', service)
        .replace('{webhookId}', webhook)
      return refused(`${method} ${concrete}`, path.includes('sandbox') ? sandbox : 'everything')
    })
  }

  for (const { method, path, query = [] } of cmsRoutes) {
    if (query.includes('dry_run')) continue
    test(`${method} ${path}?dry_run=true`, () => refused(`${method} ${path.replace(/\{\w+\}/g, service)}`, key))
  }

  test('a name that no route takes is not repeated', async () => {
    const answer = await atrium().ask('GET /v1/me?secret=1', { as: 'everything' })
    assertProblem(answer, 400, 'parameter_unknown')
    assert.match(answer.body.detail, /^A query parameter is not known\./)
  })
})
