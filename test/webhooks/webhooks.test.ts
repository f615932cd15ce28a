import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../harness/receiver.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { onEachEngineWithWebhooks } from './fixture.ts'

onEachEngineWithWebhooks('webhooks', ({ receiver, ask, add }) => {
  test('a partner without the right to webhooks is refused', async () => {
    for (const request of ['GET /v1/webhooks', 'POST /v1/webhooks', 'DELETE /v1/webhooks/x']) {
      const answer = await ask(request, undefined, 'ward')
      assertProblem(answer, 403, 'not_granted')
      assert.deepEqual(answer.body.required, { right: 'webhooks' })
    }
  })

  test('an address is stored once it has accepted a signed ping, and its secret is shown once', async () => {
    const { webhook, secret } = await add('/first')
    const [ping] = receiver().received.filter(({ path }) => path === '/first')
    assert.equal(ping?.body.type, 'webhook.ping')
    verify(secret, ping as never)
    const { text, headers } = await ask(`GET /v1/webhooks/${webhook.id}`)
    assert.ok(!text.includes(secret))
    assert.deepEqual(JSON.parse(text), webhook)
    assert.equal(
      (await ask(`GET /v1/webhooks/${webhook.id}`, undefined, 'keeper', { 'if-none-match': headers.get('etag') ?? '' }))
        .status,
      304,
    )
    assertProblem(await ask('POST /v1/webhooks', { url: `${receiver().url}/first`, types: '*' }), 409, 'webhook_exists')
  })

  test('an address that does not accept the ping is not stored', async () => {
    receiver().answers('/not-there', (_, response) => void response.writeHead(404).end())
    receiver().answers('/elsewhere', (_, response) => void response.writeHead(307, { location: '/first' }).end())
    const refusals = {
      [`${receiver().url}/not-there`]: 'response status 404',
      [`${receiver().url}/elsewhere`]: 'response status 307',
      'https://10.0.0.1/': 'the address does not lead to the public Internet',
      'https://localhost:1/': 'the connection was refused',
      'http://192.0.1.1/': 'the address does not lead to the public Internet',
    }
    const before = (await ask('GET /v1/webhooks')).text
    for (const [url, reason] of Object.entries(refusals)) {
      const answer = await ask('POST /v1/webhooks', { url, types: '*' })
      assertProblem(answer, 422, 'webhook_unreachable')
      assert.equal(answer.body.detail, `The receiver did not accept the ping: ${reason}. Nothing was changed.`)
    }
    assert.equal((await ask('GET /v1/webhooks')).text, before)
  })

  test('a body is refused with all that is wrong with it', async () => {
    const body = { url: 'ftp://receiver.example', types: ['area.painted'], own: 1, colour: 'red' }
    const answer = await ask('POST /v1/webhooks', body)
    assertProblem(answer, 400, 'body_invalid')
    const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(pointers, ['/url', '/types', '/own', '/colour'])
    for (const url of ['https://user@receiver.example/', 'https://receiver.example/#part', 'receiver', 7]) {
      assertProblem(await ask('POST /v1/webhooks', { url, types: '*' }), 400, 'body_invalid')
    }
    assertProblem(await ask('POST /v1/webhooks', []), 400, 'body_invalid')
  })

  test('those of another partner are not found', async () => {
    const { webhook } = await add('/mine')
    const actions = ['ping', 'rotate', 'replay'].map((action) => `POST /v1/webhooks/${webhook.id}/${action}`)
    const others = ['GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/webhooks/${webhook.id}`)
    for (const request of [...others, ...actions, `GET /v1/webhooks/${webhook.id}/deliveries`]) {
      const body = request.startsWith('GET') ? undefined : {}
      assertProblem(await ask(request, body, 'other-keeper'), 404, 'webhook_not_found')
    }
    assert.deepEqual((await ask('GET /v1/webhooks', undefined, 'other-keeper')).body, [])
    await ask(`DELETE /v1/webhooks/${webhook.id}`)
  })

  test('both secrets sign during the grace period of a rotation', async () => {
    const { webhook, secret } = await add('/rotated')
    const rotated = await ask(`POST /v1/webhooks/${webhook.id}/rotate`, { grace_seconds: 60 })
    assert.equal(rotated.status, 200, rotated.text)
    const sendPing = await ask(`POST /v1/webhooks/${webhook.id}/ping`)
    assert.deepEqual([sendPing.body.delivered, sendPing.body.status], [true, 204])
    const one = receiver().received.findLast(({ path }) => path === '/rotated')
    verify(secret, one as never)
    verify(rotated.body.secret, one as never)
    await ask(`POST /v1/webhooks/${webhook.id}/rotate`, { grace_seconds: 0 })
    await ask(`POST /v1/webhooks/${webhook.id}/ping`)
    const later = receiver().received.findLast(({ path }) => path === '/rotated')
    assert.throws(() => verify(rotated.body.secret, later as never))
    await ask(`DELETE /v1/webhooks/${webhook.id}`)
  })

  test('changes honor If-Match, and a new address has to accept a ping first', async () => {
    const { webhook } = await add('/conditional')
    const path = `/v1/webhooks/${webhook.id}`
    const etag = (await ask(`GET ${path}`)).headers.get('etag') ?? ''
    const changed = await ask(`PATCH ${path}`, { types: ['area.closed'] }, 'keeper', { 'if-match': etag })
    assert.deepEqual(changed.body.types, ['area.closed'])
    assertProblem(await ask(`PATCH ${path}`, { own: true }, 'keeper', { 'if-match': etag }), 412, 'precondition_failed')
    assertProblem(await ask(`DELETE ${path}`, undefined, 'keeper', { 'if-match': etag }), 412, 'precondition_failed')
    assertProblem(await ask(`PATCH ${path}`, { url: `${receiver().url}/not-there` }), 422, 'webhook_unreachable')
    assertProblem(await ask(`PATCH ${path}`, { url: `${receiver().url}/first` }), 409, 'webhook_exists')
    assert.equal((await ask(`PATCH ${path}`, { url: `${receiver().url}/moved` })).body.url, `${receiver().url}/moved`)
    assert.equal((await ask(`DELETE ${path}`)).status, 200)
    assertProblem(await ask(`GET ${path}`), 404, 'webhook_not_found')
  })

  test('a partner has at most ten', async () => {
    for (let count = (await ask('GET /v1/webhooks')).body.length; count < 10; count++) await add(`/more-${count}`)
    const answer = await ask('POST /v1/webhooks', { url: `${receiver().url}/eleventh`, types: '*' })
    assertProblem(answer, 400, 'limit_exceeded')
  })
})
