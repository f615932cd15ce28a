import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../harness/receiver.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { distinct, onEachEngineWithWebhooks, timesOf } from './fixture.ts'

onEachEngineWithWebhooks('deliveries to webhooks', ({ receiver, db, ask, add, rename, until, eventually, logged }) => {
  test('events are sent in order and signed, and only those that the partner may read', async () => {
    const { webhook, secret } = await add('/order')
    await ask('PATCH /v1/facilities/lyon-01/name', { value: 'Hidden' }, 'everything')
    for (const name of ['One', 'Two', 'Three']) await rename(name)
    const received = distinct(await until('/order', 'One', 'Two', 'Three'))
    for (const one of received) verify(secret, one)
    assert.ok(!received.some(({ text }) => text.includes('Hidden')))
    const [first] = received
    assert.deepEqual(Object.keys(first?.body), ['id', 'type', 'occurred_at', 'facility', 'origin', 'data'])
    assert.deepEqual(
      [first?.body.type, first?.body.facility, first?.body.origin],
      ['facility.updated', 'chu-nord', 'other'],
    )
    await logged(webhook.id, 3)
    const log = (await ask(`GET /v1/webhooks/${webhook.id}/deliveries`)).body as Record<string, unknown>[]
    assert.deepEqual(
      [...new Set(log.map(({ event }) => event))].reverse(),
      received.map(({ body }) => body.id),
    )
    for (const { status, attempt, error } of log) assert.deepEqual([status, attempt, error], [204, 1, null])
    const page = await ask(`GET /v1/webhooks/${webhook.id}/deliveries?limit=1`)
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]
    assert.deepEqual([...page.body, ...(await ask(`GET ${next}`)).body], log.slice(0, 2))
  })

  test('only subscribed types are sent, and own changes only on request', async () => {
    await add('/types', { types: ['area.opened'] })
    await add('/own', { own: true })
    await ask('PATCH /v1/facilities/chu-nord/name', { value: 'By itself' })
    await ask('POST /v1/areas/chu-nord-216/', undefined, 'everything')
    const [opened] = await receiver().until('/types', (received) => received.length > 0)
    assert.equal(opened?.body.type, 'area.opened')
    const both = await receiver().until('/own', (received) => distinct(received).length === 2)
    assert.deepEqual(
      distinct(both).map(({ body }) => [body.type, body.origin]),
      [
        ['facility.updated', 'self'],
        ['area.opened', 'other'],
      ],
    )
    assert.ok(!receiver().received.some(({ path, text }) => path === '/order' && text.includes('By itself')))
  })

  test('a failing webhook delays no other, is retried, and resumes where it was', async () => {
    const { webhook } = await add('/failing')
    await add('/beside')
    receiver().answers('/failing', (_, response) => void response.writeHead(500).end())
    await rename('Four')
    await rename('Five')
    await until('/beside', 'Four', 'Five')
    const failing = await eventually(webhook.id, ({ state }) => state === 'failing')
    const waitMs = Date.parse(failing.next_attempt_at as string) - Date.parse(failing.failing_since as string)
    assert.ok(waitMs >= 5000 && waitMs <= 6000, `${waitMs} ms`)
    receiver().answers('/failing', (_, response) => void response.writeHead(200).end())
    assert.equal((await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: false })).body.state, 'disabled')
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: true })
    const received = await until('/failing', 'Four', 'Five')
    assert.ok(timesOf(received, received[0]) >= 2, 'with the same id each time')
    const well = await eventually(webhook.id, ({ state }) => state === 'active')
    assert.deepEqual([well.failing_since, well.next_attempt_at], [null, null])
  })

  test('a receiver can delay a retry, and ends the webhook with 410', async () => {
    const { webhook } = await add('/busy')
    receiver().answers('/busy', (_, response) => void response.writeHead(503, { 'retry-after': '3600' }).end())
    await rename('Six')
    const busy = await eventually(webhook.id, ({ state }) => state === 'failing')
    assert.ok(Date.parse(busy.next_attempt_at as string) - Date.parse(busy.failing_since as string) >= 3_600_000)
    receiver().answers('/busy', (_, response) => void response.writeHead(410).end())
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: false })
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: true })
    const gone = await eventually(webhook.id, ({ state }) => state === 'disabled')
    assert.equal(gone.disabled_reason, 'gone')
  })

  test('one event or a range of time is sent again', async () => {
    const { webhook } = await add('/replayed')
    const from = new Date().toISOString()
    await rename('Seven')
    await rename('Eight')
    const [seven, eight] = distinct(await until('/replayed', 'Seven', 'Eight'))
    const replay = (body: unknown) => ask(`POST /v1/webhooks/${webhook.id}/replay`, body)
    await logged(webhook.id, 2)
    assert.equal((await replay({ event: eight?.body.id })).status, 200)
    await receiver().until('/replayed', (received) => timesOf(received, eight) >= 2)
    await logged(webhook.id, 3)
    assert.equal((await replay({ from })).status, 200)
    await receiver().until('/replayed', (received) => timesOf(received, seven) >= 2 && timesOf(received, eight) >= 3)
    for (const body of [{}, { event: 'x' }, { event: eight?.body.id, from }, { from: '2100-01-01' }, { to: from }]) {
      assertProblem(await replay(body), 400, 'body_invalid')
    }
  })

  test('after three days of failure a webhook is switched off, with an audit entry', async () => {
    const { webhook } = await add('/hopeless')
    receiver().answers('/hopeless', (_, response) => void response.writeHead(500).end())
    await rename('Nine')
    await eventually(webhook.id, ({ state }) => state === 'failing')
    const past = new Date(Date.now() - 3 * 86_400_000).toISOString()
    const long = { failing_since: past, next_at: past }
    await db().write((tx) => tx.query.updateTable('webhook').set(long).where('id', '=', webhook.id).execute())
    await rename('Ten')
    const off = await eventually(webhook.id, ({ state }) => state === 'disabled')
    assert.equal(off.disabled_reason, 'failed')
    const entry = await db().read((tx) =>
      tx.query
        .selectFrom('audit_entry')
        .selectAll()
        .where('action', '=', 'webhook.disable')
        .orderBy('seq', 'desc')
        .executeTakeFirstOrThrow(),
    )
    assert.deepEqual([entry.actor_kind, entry.partner, entry.subject], ['service', 'keeper', webhook.id])
    const changes = [{ key: 'active', before: true, after: false }]
    assert.deepEqual(JSON.parse(entry.detail), { changes, reason: 'failed' })
  })

  test('guest data is in no message once the cycle has ended', async () => {
    const { webhook } = await add('/guest', { types: ['services.added'] })
    const canary = 'canary-of-a-guest'
    const body = { value: JSON.stringify([{ code: 'tv', label: canary }]) }
    await ask('POST /v1/areas/chu-nord-215/', undefined, 'everything')
    await ask('POST /v1/areas/chu-nord-215/data_services', body, 'everything')
    const [added] = await receiver().until('/guest', (received) => received.length > 0)
    assert.ok(added?.text.includes(canary))
    await logged(webhook.id, 1)
    await ask('DELETE /v1/areas/chu-nord-215/', undefined, 'everything')
    assert.equal((await ask(`POST /v1/webhooks/${webhook.id}/replay`, { event: added?.body.id })).status, 200)
    const all = await receiver().until('/guest', (received) => received.some(({ text }) => !text.includes(canary)))
    assert.equal(all.at(-1)?.body.id, added?.body.id)
    assert.ok(!all.at(-1)?.text.includes(canary))
  })
})
