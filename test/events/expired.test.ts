import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { EventIds, lastOffsetOf } from '../../src/domain/room/event-offset.ts'
import { recordAudit } from '../../src/storage/audit/audit.ts'
import { eventSecret } from '../../src/storage/webhook/event-secret.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { caughtUp, page, starts } from './reading.ts'

onEachEngine('invalid cursors', {}, (atrium) => {
  const ask = (after: string) => atrium().ask(`GET /v1/events?after=${after}`, { as: 'everything' })

  test('one from before a restore has expired, and a new one works', async () => {
    const from = (await starts(atrium(), ['everything'])).get('everything') ?? ''
    const about = { facility: null, partner: null, subject: null, detail: {} }
    await atrium().service.db.write(async (tx) => {
      recordAudit(tx, { at: new Date().toISOString(), actor: commandLine, action: 'database.restore', ...about })
    })
    await caughtUp(atrium())
    assertProblem(await ask(from), 410, 'cursor_expired')
    const { next } = await page(atrium(), 'everything')
    assert.deepEqual((await page(atrium(), 'everything', `?after=${next}`)).data, [])
  })

  test('one from after the end of the audit log has expired', async () => {
    const names = new EventIds(await eventSecret(atrium().service.db), 'everything')
    assertProblem(await ask(names.id(lastOffsetOf(1_000_000))), 410, 'cursor_expired')
  })
})
