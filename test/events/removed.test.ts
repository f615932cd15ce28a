import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '../../src/domain/audit/audit.ts'
import { EventIds, eventOffset, lastOffsetOf } from '../../src/domain/room/event-offset.ts'
import { indexAudit } from '../../src/operations/background/index-audit.ts'
import { removeOldAudit } from '../../src/operations/background/remove-audit.ts'
import { eventSecret } from '../../src/storage/webhook/event-secret.ts'
import { addOperator } from '../harness/operators.ts'
import type { Received } from '../harness/receiver.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { recordOld, tamper } from '../storage/old-audit.ts'
import { onEachEngineWithWebhooks } from '../webhooks/fixture.ts'
import { allAfter } from './reading.ts'

const isNamed = (name: string) => (message: Received) => JSON.stringify(message.body).includes(`"new":"${name}"`)
const isLeft = isNamed('Left')

onEachEngineWithWebhooks('after old months were removed from the audit log', (at) => {
  const removeAll = async () => {
    // What the suite itself wrote counts as old too, so that there is one row of removed entries.
    await tamper(at.db(), `delete from audit_seal`)
    await tamper(at.db(), `update audit_entry set at = '2020-01-01T00:00:00.000Z'`)
    await recordOld(at.db(), 3, 3)
    await indexAudit(at.db())
    await removeOldAudit(at.db(), { actor: systemActor, months: 1 })
    return (await at.db().auditFeed.removedOffset()) as number
  }
  const as = 'everything'
  const events = (after: string, headers = {}) => at.atrium().ask(`GET /v1/events?after=${after}`, { as, headers })
  let removed: number
  let ids: EventIds
  let hook: string

  test('a webhook that was behind goes on with the oldest event that is left', async () => {
    hook = (await at.add('/behind')).webhook.id
    await at.ask(`PATCH /v1/webhooks/${hook}`, { active: false })
    await at.rename('Removed')
    removed = await removeAll()
    ids = new EventIds(await eventSecret(at.db()), as)
    await at.rename('Left')
    await at.ask(`PATCH /v1/webhooks/${hook}`, { active: true })
    const received = await at.receiver().until('/behind', (all) => all.some(isLeft))
    assert.ok(!received.some(isNamed('Removed')))
  })

  test('a cursor before them has expired, on a stream too, and the one at their end has not', async () => {
    const before = ids.cursor(lastOffsetOf(removed) - 1)
    assertProblem(await events(before), 410, 'cursor_expired')
    assert.match((await events(before)).text, /older than this installation keeps/)
    assertProblem(await events(before, { accept: 'text/event-stream' }), 410, 'cursor_expired')
    const edge = ids.cursor(lastOffsetOf(removed))
    const left = await allAfter(at.atrium(), as, edge)
    assert.deepEqual(
      left.map(({ type, data }) => [type, data.new]),
      [['facility.updated', 'Left']],
    )
  })

  test('pages of operators end at the oldest entry, and a removed one cannot be undone', async () => {
    const { key } = await addOperator(at.atrium(), 'admin')
    const ask = (request: string) => at.atrium().ask(request, { as: key })
    for (const filter of ['', '&facility=chu-nord', '&action=facility.change']) {
      const seen: number[] = []
      for (let next = `/cms/v1/audit?limit=1${filter}`; next !== ''; ) {
        const { body, headers, status, text } = await ask(`GET ${next}`)
        assert.equal(status, 200, text)
        seen.push(...body.map(({ seq }: { seq: number }) => seq))
        next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
      }
      assert.ok(seen.length > 0 && Math.min(...seen) > removed, filter)
    }
    for (const request of [`GET /cms/v1/audit/${removed}`, `POST /cms/v1/audit/${removed}/undo`]) {
      const answer = await ask(request)
      assertProblem(answer, 404, 'audit_entry_not_found')
      assert.match(answer.text, /older than this installation keeps/)
    }
    assert.match((await ask('GET /cms/v1/audit/999999')).text, /no entry with this number/)
  })

  test('a replay that begins with removed events sends those that are left', async () => {
    const from = new EventIds(await eventSecret(at.db()), 'keeper').id(eventOffset(1, 0))
    const { status, text } = await at.ask(`POST /v1/webhooks/${hook}/replay`, { from_event: from })
    assert.equal(status, 200, text)
    const received = await at.receiver().until('/behind', (all) => all.filter(isLeft).length >= 2)
    assert.ok(!received.some(isNamed('Removed')))
  })
})
