import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { cmsRoutes } from '../../src/http/cms/routes.ts'
import { lastOffset } from '../../src/storage/audit/audit.ts'
import { entriesBetween } from '../../src/storage/audit/audit-seal.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { guestLabel, sampleCall } from '../harness/cms-calls.ts'
import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { addOperator, password, type TestOperator } from '../harness/operators.ts'
import { startReceiver } from '../harness/receiver.ts'

/** POST operations that only read. */
const questions = ['checkAccess', 'checkContract', 'rehearseGrants', 'beginSingleSignOn', 'pingWebhook', 'verifyAudit']

/** Operations that also create or remove a partner and a facility. */
const estates = ['createSandbox', 'removeSandbox']

const provider = await new TestOpenIdProvider().start()
const receiver = await startReceiver()
const settings = { ...provider.settings(), ATRIUM_WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' }

/** Every operation that changes something, done once by an administrator. */
onEachEngine('the audit log of the CMS', { settings }, (atrium) => {
  let admin: TestOperator
  before(async () => {
    admin = await addOperator(atrium(), 'admin')
  })

  for (const endpoint of cmsRoutes) {
    const { method, path, role, operationId } = endpoint
    if (method === 'GET') continue
    const expected = questions.includes(operationId) ? 0 : estates.includes(operationId) ? 3 : 1

    test(`${method} ${path}: ${expected}`, async () => {
      const { db } = atrium().service
      const { request, asked } = await sampleCall(
        { atrium: atrium(), admin, provider, receiver: receiver.url },
        endpoint,
      )
      const last = await lastOffset(db)
      const answer = await atrium().ask(request, asked)
      assert.equal(answer.status, 200, answer.text)
      const entries = await entriesBetween(db, last, await lastOffset(db), 100)
      assert.equal(entries.length, expected, JSON.stringify(entries))
      for (const entry of entries) {
        const { actor_kind, actor, token, request_id, address } = entry
        const byKey = asked.as === undefined ? null : admin.key.split('_')[1]
        assert.deepEqual([actor_kind, token, address], ['operator', byKey, '127.0.0.1'])
        assert.equal(request_id, answer.headers.get('x-request-id'))
        if (role !== 'anyone') assert.equal(actor, admin.email)
        for (const secret of secretsIn(answer.body)) assert.ok(!JSON.stringify(entry).includes(secret), 'a secret')
      }
    })
  }
})

/** Values that must never be stored in the log: secrets shown once, passwords and guest data. */
function secretsIn({ secret, path }: { secret?: string; path?: string }): string[] {
  const shown = [secret?.split('_')[2], path?.split('#link=')[1]]
  return [...shown.filter((text) => text !== undefined), password, guestLabel]
}
