import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'

const filled = (path: string) =>
  path
    .replace('{facilityExternalId}', 'lyon-01')
    .replace('{areaExternalId}', 'chu-nord-214')
    .replace('{serviceId}', '0192f0c1-2d3e-7abc-8def-0123456789ab')
    .replace('{webhookId}', '0192f0c1-2d3e-7abc-8def-0123456789ab')

const slashForms = (path: string) => [path.replace(/\/$/, ''), path.replace(/\/?$/, '/')]

/** The methods that fetch can send. */
const methods = METHODS.filter((method) => !['CONNECT', 'TRACE', 'TRACK', 'HEAD'].includes(method))

onEachEngine('no route is without its guard', {}, (atrium) => {
  for (const [path, endpoints] of Map.groupBy(partnerEndpoints, (route) => route.path)) {
    const allowed: string[] = endpoints.map(({ method }) => method)
    const reading = allowed.includes('GET') ? ['GET', 'HEAD'] : []
    const allow = [...new Set([...reading, ...allowed])]

    for (const form of slashForms(filled(path))) {
      for (const method of allow) {
        test(`${method} ${form} needs a token`, async () => {
          const answer = await atrium().ask(`${method} ${form}`)
          assert.deepEqual(
            [answer.status, answer.headers.get('www-authenticate')],
            [401, 'Bearer realm="atrium"'],
            answer.text,
          )
          if (method !== 'HEAD') assertProblem(answer, 401, 'token_missing')
          const guessed = await atrium().ask(`${method} ${form}`, { as: `atr_00000000_${'0'.repeat(49)}` })
          assert.equal(guessed.status, 401)
        })
      }

      test(`${form} takes ${allow.join(', ')} and no other method, token or not`, async () => {
        const others = methods.filter((one) => !allow.includes(one))
        const asked = others.flatMap((method) => [undefined, 'everything'].map((as) => ({ method, as })))
        await Promise.all(
          asked.map(async ({ method, as }) => {
            const answer = await atrium().ask(`${method} ${form}`, { as })
            assertProblem(answer, 405, 'method_not_allowed')
            assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allow.toSorted(), method)
          }),
        )
      })
    }
  }

  test('paths similar to a route are no routes', async () => {
    for (const path of ['/v1', '/v1/', '/v1/facility', '/v1/areas', '/v1/me/x', '/v2/me', '/V1/me']) {
      assertProblem(await atrium().ask(`GET ${path}`), 404, 'route_not_found')
    }
  })
})
