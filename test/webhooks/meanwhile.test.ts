import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../harness/receiver.ts'
import { seed } from '../harness/seed.ts'
import { distinct, keeper, onEachEngineWithWebhooks, type WebhookFixture } from './fixture.ts'

/**
 * The dispatcher has sent one event and reads the next while the webhook is changed, and then another event happens. An
 * event is sent under the settings of the time when it happened, or later ones.
 */
onEachEngineWithWebhooks('a change while the next event is being read', (fixture) => {
  const { receiver, ask, add, rename, until, db } = fixture
  const named = (path: string) =>
    distinct(receiver().received.filter((one) => one.path === path && one.body.type !== 'webhook.ping')).map(
      ({ body }) => body.data.new,
    )

  test('a new secret signs the event', async () => {
    const { webhook, secret: first } = await add('/rotated')
    const { secret: second } = await meanwhile(fixture, { id: webhook.id, path: '/rotated' }, async () => {
      return (await ask(`POST /v1/webhooks/${webhook.id}/rotate`, {})).body
    })
    const [, event] = await until('/rotated', 'before', 'after')
    for (const one of [first, second]) verify(one, event as never)
    await ask(`DELETE /v1/webhooks/${webhook.id}`)
  })

  test('the event is sent to a new address', async () => {
    const { webhook } = await add('/left')
    await meanwhile(fixture, { id: webhook.id, path: '/left' }, () =>
      ask(`PATCH /v1/webhooks/${webhook.id}`, { url: `${receiver().url}/moved` }),
    )
    await until('/moved', 'after')
    assert.deepEqual(named('/left'), ['before'])
    await ask(`DELETE /v1/webhooks/${webhook.id}`)
  })

  const silenced: Record<string, (id: string) => Promise<unknown>> = {
    'it is no longer of a type that is wanted': (id) => ask(`PATCH /v1/webhooks/${id}`, { types: ['area.opened'] }),
    'the webhook is switched off': (id) => ask(`PATCH /v1/webhooks/${id}`, { active: false }),
    'the webhook is removed': (id) => ask(`DELETE /v1/webhooks/${id}`),
    'the facility is no longer granted': () =>
      seed(db(), { partners: [{ ...keeper, grants: [{ facilities: ['lyon-01'], read: '*' }] }] }),
  }
  for (const [when, silence] of Object.entries(silenced)) {
    test(`nothing is sent when ${when}`, async () => {
      await seed(db(), { partners: [keeper] })
      const path = `/${encodeURIComponent(when)}`
      const { webhook } = await add(path)
      const witness = await add(`${path}-seen`, {}, 'other-keeper')
      await meanwhile(fixture, { id: webhook.id, path }, () => silence(webhook.id))
      // By then every receiver that may have it has it.
      await until(`${path}-seen`, 'before', 'after')
      await rename('later')
      await until(`${path}-seen`, 'before', 'after', 'later')
      assert.deepEqual(named(path), ['before'])
      for (const id of [webhook.id, witness.webhook.id]) {
        for (const one of ['keeper', 'other-keeper']) await ask(`DELETE /v1/webhooks/${id}`, undefined, one)
      }
    })
  }
})

/** Blocks reads of the audit log after an event was sent, until a change and another event are made. */
async function meanwhile<Change>(
  { db, receiver, rename, logged }: WebhookFixture,
  { id, path }: { id: string; path: string },
  change: () => Promise<Change>,
): Promise<Change> {
  const { auditFeed } = db()
  const advance = auditFeed.advance.bind(auditFeed)
  const made = Promise.withResolvers<void>()
  receiver().answers(path, (_, response) => {
    auditFeed.advance = () => made.promise.then(advance)
    response.writeHead(204).end()
  })
  await rename('before')
  try {
    // By then the dispatcher has read the state it continues with.
    await logged(id, 1)
    const changed = await change()
    await rename('after')
    return changed
  } finally {
    receiver().answers(path, (_, response) => void response.writeHead(204).end())
    auditFeed.advance = advance
    made.resolve()
  }
}
