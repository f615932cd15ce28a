import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addOperator } from '../harness/operators.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { distinct, onEachEngineWithWebhooks, timesOf } from './fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Answer = any

onEachEngineWithWebhooks(
  'a webhook that fails',
  ({ atrium, receiver, ask, add, rename, until, eventually, logged }) => {
    let key = ''
    before(async () => {
      key = (await addOperator(atrium(), 'admin')).key
    })
    const operate = (request: string, body?: unknown) => ask(request, body, key)
    const webhooks = '/cms/v1/partners/keeper/webhooks'
    const fails = (path: string, text = 'no space left') =>
      receiver().answers(path, (_, response) => void response.writeHead(500).end(text))
    const works = (path: string) => receiver().answers(path, (_, response) => void response.writeHead(204).end())
    const actions = async (id: string) => {
      const { body } = await operate(`GET /cms/v1/audit?subject=${id}`)
      return body.map(({ action, actor }: Answer) => [action, actor.kind])
    }

    test('the next attempt and the response of the last one are shown; both are gone once it works', async () => {
      const { webhook } = await add('/shown')
      fails('/shown', `no space left\u0000 on ${'x'.repeat(2000)}`)
      await rename('One')
      await eventually(webhook.id, ({ state }) => state === 'failing')
      const found = async () =>
        (await operate(`GET ${webhooks}`)).body.find(({ id }: Answer) => id === webhook.id) as Answer
      const failing = await found()
      assert.ok(Date.parse(failing.next_attempt_at) > Date.now() - 10_000)
      const { status, error, attempt, response } = failing.last_attempt
      assert.deepEqual([status, error, attempt], [500, 'response status 500', 1])
      assert.equal(response, `no space left on ${'x'.repeat(1024 - 18)}`)
      works('/shown')
      assert.equal((await operate(`POST ${webhooks}/${webhook.id}/retry`)).status, 200)
      await eventually(webhook.id, ({ state }) => state === 'active')
      const well = await found()
      assert.deepEqual([well.next_attempt_at, well.last_attempt.status], [null, 204])
      const { body: log } = await operate(`GET ${webhooks}/${webhook.id}/deliveries`)
      assert.ok(log.every((one: Answer) => one.response === null))
      assert.ok((await actions(webhook.id)).some((one: string[]) => one.join() === 'webhook.retry,operator'))
    })

    test('the event that fails is sent again at once, and what follows it', async () => {
      const { webhook } = await add('/head')
      fails('/head')
      await rename('Two')
      await rename('Three')
      await eventually(webhook.id, ({ state }) => state === 'failing')
      const [{ event }] = (await operate(`GET ${webhooks}/${webhook.id}/deliveries`)).body
      // Long before its next attempt: the backoff after many failures is hours.
      const later = new Date(Date.now() + 3_600_000).toISOString()
      await atrium().service.db.write((tx) =>
        tx.query.updateTable('webhook').set({ next_at: later, failures: 8 }).where('id', '=', webhook.id).execute(),
      )
      works('/head')
      const again = await operate(`POST ${webhooks}/${webhook.id}/replay`, { event })
      assert.equal(again.status, 200, again.text)
      await until('/head', 'Two', 'Three')
      await eventually(webhook.id, ({ state }) => state === 'active')
      assert.ok((await actions(webhook.id)).some((one: string[]) => one.join() === 'webhook.replay,operator'))
    })

    test('manual attempts that fail leave the schedule and the backoff as they were', async () => {
      const { webhook } = await add('/schedule')
      fails('/schedule')
      await rename('Schedule')
      await eventually(webhook.id, ({ state }) => state === 'failing')
      await logged(webhook.id, 1)
      const { db } = atrium().service
      const stored = () =>
        db.read((tx) => tx.query.selectFrom('webhook').selectAll().where('id', '=', webhook.id).executeTakeFirst())
      const scheduled = new Date(Date.now() + 3_600_000).toISOString()
      await db.write((tx) =>
        tx.query.updateTable('webhook').set({ next_at: scheduled, failures: 3 }).where('id', '=', webhook.id).execute(),
      )
      const [{ event }] = (await operate(`GET ${webhooks}/${webhook.id}/deliveries`)).body
      for (const [at, path] of ['retry', 'retry', 'replay'].entries()) {
        await operate(`POST ${webhooks}/${webhook.id}/${path}`, path === 'replay' ? { event } : undefined)
        await logged(webhook.id, at + 2)
        const { next_at, scheduled_at, failures } = (await stored()) ?? {}
        assert.deepEqual([next_at, scheduled_at, failures], [scheduled, null, 3])
      }
      await db.write((tx) =>
        tx.query
          .updateTable('webhook')
          .set({ next_at: new Date().toISOString() })
          .where('id', '=', webhook.id)
          .execute(),
      )
      // The attempt that was scheduled counts again.
      await rename('Wakes up the dispatcher')
      await logged(webhook.id, 5)
      assert.equal((await stored())?.failures, 4)
      works('/schedule')
      await operate(`POST ${webhooks}/${webhook.id}/retry`)
      await eventually(webhook.id, ({ state }) => state === 'active')
      assert.deepEqual([(await stored())?.scheduled_at, (await stored())?.failures], [null, 0])
    })

    test('operators see the facility and the room of each event, partners only the event', async () => {
      const { webhook } = await add('/places', { types: ['area.opened', 'facility.updated'] })
      await rename('Places')
      await ask('POST /v1/areas/chu-nord-216/', undefined, 'everything')
      await logged(webhook.id, 2)
      const { body } = await operate(`GET ${webhooks}/${webhook.id}/deliveries`)
      assert.deepEqual(
        body.map(({ type, facility, area }: Answer) => [type, facility, area]),
        [
          ['area.opened', 'chu-nord', 'chu-nord-216'],
          ['facility.updated', 'chu-nord', null],
        ],
      )
      const [own] = (await ask(`GET /v1/webhooks/${webhook.id}/deliveries`)).body
      assert.ok(!('facility' in own) && !('area' in own))
    })

    test('a range is sent again from one event to another, and a second range loses nothing of the first', async () => {
      const { webhook } = await add('/range')
      for (const name of ['Four', 'Five', 'Six', 'Seven']) await rename(name)
      const sent = distinct(await until('/range', 'Four', 'Five', 'Six', 'Seven'))
      await logged(webhook.id, 4)
      const [four, five, six, seven] = sent.map(({ body }) => body.id)
      const replay = (body: object) => operate(`POST ${webhooks}/${webhook.id}/replay`, body)
      assert.equal((await replay({ from_event: five, to_event: six })).status, 200)
      await receiver().until('/range', (all) => timesOf(all, sent[1]) >= 2 && timesOf(all, sent[2]) >= 2)
      await logged(webhook.id, 6)
      assert.equal(timesOf(receiver().received, sent[0]), 1)
      assert.equal(timesOf(receiver().received, sent[3]), 1)
      fails('/range')
      assert.equal((await replay({ event: four })).status, 200)
      await eventually(webhook.id, ({ state }) => state === 'failing')
      assert.equal((await replay({ event: seven })).status, 200)
      works('/range')
      await operate(`POST ${webhooks}/${webhook.id}/retry`)
      // It was sent twice before the failure. A third time shows that the replay continued.
      await receiver().until('/range', (all) => timesOf(all, sent[0]) >= 3 && timesOf(all, sent[3]) >= 2)
      for (const body of [{ to_event: six }, { from_event: five, to: seven }, { from_event: 'x' }]) {
        assertProblem(await replay(body), 400, 'body_invalid')
      }
    })

    test('a webhook that is switched off is not retried', async () => {
      const { webhook } = await add('/off')
      await operate(`PATCH ${webhooks}/${webhook.id}`, { active: false })
      assertProblem(await operate(`POST ${webhooks}/${webhook.id}/retry`), 409, 'webhook_disabled')
      assertProblem(await operate(`POST ${webhooks}/none/retry`), 404, 'webhook_not_found')
    })

    test('it is listed for attention, also once it is switched off', async () => {
      const { webhook } = await add('/attention')
      const notices = async () => {
        const { body } = await operate('GET /cms/v1/figures')
        const ours = body.attention.filter(({ webhook }: Answer) => webhook === `${receiver().url}/attention`)
        return ours.map(({ kind, subject, link }: Answer) => [kind, subject, link])
      }
      const become = async (wanted: string[][]) => {
        while (JSON.stringify(await notices()) !== JSON.stringify(wanted)) await sleep(50)
      }
      const [made] = (await operate(`GET /cms/v1/audit?subject=${webhook.id}`)).body
      assert.equal(made.subject_name, `${receiver().url}/attention`)
      const row = async () =>
        (await operate('GET /cms/v1/partners?q=keeper')).body.find(({ id }: Answer) => id === 'keeper') as Answer
      const before = await row()
      fails('/attention')
      await rename('Eight')
      await eventually(webhook.id, ({ state }) => state === 'failing')
      const link = '/console/partners/keeper?tab=webhooks'
      await become([['webhook_failing', 'keeper', link]])
      assert.equal((await row()).webhooks_failing, before.webhooks_failing + 1)
      receiver().answers('/attention', (_, response) => void response.writeHead(410).end())
      await operate(`POST ${webhooks}/${webhook.id}/retry`)
      await eventually(webhook.id, ({ state }) => state === 'disabled')
      await become([['webhook_disabled', 'keeper', link]])
      const { webhooks_failing, webhooks_disabled } = await row()
      assert.deepEqual([webhooks_failing, webhooks_disabled], [before.webhooks_failing, before.webhooks_disabled + 1])
      await operate(`DELETE ${webhooks}/${webhook.id}`)
      await become([])
    })

    test('a response that repeats guest data is not stored', async () => {
      const { webhook } = await add('/echo', { types: ['services.added'] })
      receiver().answers('/echo', ({ text }, response) => void response.writeHead(500).end(text))
      const canary = 'canary-of-a-guest'
      const services = { value: JSON.stringify([{ code: 'tv', label: canary }]) }
      await ask('POST /v1/areas/chu-nord-215/', undefined, 'everything')
      await ask('POST /v1/areas/chu-nord-215/data_services', services, 'everything')
      await eventually(webhook.id, ({ state }) => state === 'failing')
      const { body, text } = await operate(`GET ${webhooks}/${webhook.id}/deliveries`)
      assert.deepEqual([body[0].status, body[0].response], [500, null])
      assert.ok(!text.includes(canary))
    })
  },
)
