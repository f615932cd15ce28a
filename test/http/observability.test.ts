import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'
import { assertProblem } from '../harness/scenarios.ts'

onEachEngine('health, metrics and log', {}, (atrium) => {
  test('/healthz and /readyz need no token', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await atrium().ask(`GET ${path}`)
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'], path)
    }
  })

  test('/metrics counts requests by route and status, and has the loop and the database', async () => {
    await atrium().ask('GET /v1/facilities/chu-nord/', { as: 'ward' })
    await atrium().ask('GET /v1/facilities/lyon-01/', { as: 'ward' })
    const { text, status } = await atrium().ask('GET /metrics')
    assert.equal(status, 200)
    assert.match(
      text,
      /atrium_http_requests_total\{method="GET",route="\/v1\/facilities\/:facilityExternalId",status="200"\} \d/,
    )
    assert.match(text, /atrium_http_requests_total\{[^}]*status="403"\} \d/)
    assert.match(text, /atrium_http_request_duration_seconds_bucket/)
    assert.match(text, /nodejs_eventloop_lag_p99_seconds/)
    assert.match(text, /atrium_database_transaction_seconds_count\{kind="read"\} \d/)
    assert.ok(!text.includes('lyon-01'))
  })

  test('/metrics refuses forwarded requests', async () => {
    const answer = await atrium().ask('GET /metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })
    assertProblem(answer, 403, 'metrics_not_allowed')
  })

  test('/metrics accepts an operator key from any address', async () => {
    const { key } = await addOperator(atrium(), 'viewer')
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const answer = await atrium().ask('GET /metrics', { as: key, headers })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /^atrium_http_requests_total/m)
    const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
    for (const secret of [mistyped, atrium().tokens.ward as string]) {
      assertProblem(await atrium().ask('GET /metrics', { as: secret, headers }), 403, 'metrics_not_allowed')
    }
  })

  test('one line per request, with partner, route and duration', async () => {
    await atrium().ask('GET /v1/areas/chu-nord-214/', { as: 'ward', headers: { 'x-request-id': 'find-me' } })
    const line = JSON.parse(atrium().log.find((text) => text.includes('find-me')) ?? '{}')
    assert.deepEqual(
      { ...line, time: 0, duration_ms: 0 },
      {
        level: 'info',
        time: 0,
        request_id: 'find-me',
        partner: 'ward',
        method: 'GET',
        route: '/v1/areas/:areaExternalId',
        status: 200,
        duration_ms: 0,
        msg: 'request',
      },
    )
    assert.equal(typeof line.duration_ms, 'number')
  })

  test('a probe is not logged, and a refusal has its code', async () => {
    const odd = { te: 'trailers' }
    for (const path of ['/healthz', '/readyz'])
      await atrium().ask(`GET ${path}`, { headers: { 'x-request-id': 'probe' } })
    for (const [id, headers] of Object.entries({ plain: {}, general: odd })) {
      const asked = { as: 'bare', headers: { 'x-request-id': `refused-${id}`, ...headers } }
      await atrium().ask('GET /v1/areas/chu-nord-214/', asked)
      const line = JSON.parse(atrium().log.find((text) => text.includes(`refused-${id}`)) ?? '{}')
      assert.deepEqual([line.status, line.code], [403, 'not_granted'])
    }
    assert.equal(
      atrium().log.find((text) => text.includes('"probe"') || text.includes('readyz')),
      undefined,
    )
  })

  test('no token, body, id of a room or query is ever in the log', async () => {
    const token = atrium().tokens.ward as string
    const body = { value: '[{"code":"canary-code","patient":"canary-name"}]' }
    await atrium().ask('POST /v1/areas/chu-nord-214/data_services', { as: 'ward', body })
    await atrium().ask(`GET /v1/facilities/?token=${token}`, { as: 'ward' })
    await atrium().ask(`GET /nowhere/${token}?token=${token}`)
    await atrium().ask('POST /v1/areas/chu-nord-214/data_services', {
      as: 'ward',
      body: `{"value": "canary-name ${token}`,
    })
    const log = atrium().log.join('')
    for (const secret of [token, token.slice(13), 'canary', 'chu-nord-214']) assert.ok(!log.includes(secret), secret)
  })
})

onEachEngine('a failure inside', {}, (atrium) => {
  test('is a 500 that reveals no internals, with its cause in the log', async () => {
    await atrium().service.db.write((tx) => tx.query.schema.dropTable('token').execute())
    const broken = await atrium().ask('GET /v1/me', { as: 'ward' })
    assertProblem(broken, 500, 'internal_error')
    assert.ok(!/token|relation|table|sqlite|postgres/i.test(broken.body.detail), broken.body.detail)
    const line = atrium().log.find((text) => text.includes('request failed')) ?? ''
    assert.match(line, /"error":\{"name":/)
    assert.equal((await atrium().ask('GET /healthz')).status, 200)
  })
})
