import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../harness/receiver.ts'
import { seed } from '../harness/seed.ts'
import { distinct, type Keeping, keeper, whileKeeping } from './keeping.ts'

/**
 * A sender has sent one event and looks for the next when something is changed, and an event happens after that. What
 * holds for an event is what held when it happened.
 */
whileKeeping('a change while the next event is being read', (keeping) => {
  const { receiver, ask, add, rename, until, db } = keeping
  const named = (path: string) =>
    distinct(receiver().received.filter((one) => one.path === path && one.body.type !== 'webhook.ping')).map(
      ({ body }) => body.data.new,
    )

  test('a new secret signs the event', async () => {
    const { webhook, secret: first } = await add('/rotated')
    const { secret: second } = await meanwhile(keeping, { id: webhook.id, path: '/rotated' }, async () => {
      return (await ask(`POST /v1/webhooks/${webhook.id}/rotate`, {})).body
    })
    const [, event] = await until('/rotated', 'before', 'after')
    for (const one of [first, second]) verify(one, event as never)
    await ask(`DELETE /v1/webhooks/${webhook.id}`)
  })

  test('the event is sent to a new address', async () => {
    const { webhook } = await add('/left')
    await meanwhile(keeping, { id: webhook.id, path: '/left' }, () =>
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
      await meanwhile(keeping, { id: webhook.id, path }, () => silence(webhook.id))
      // Whoever may have it has it by then.
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

/** Keeps everybody from looking into the journal, from an event that was sent until a change and another event are made. */
async function meanwhile<Change>(
  { db, receiver, rename, logged }: Keeping,
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
    // By then the sender has what it goes on with.
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
