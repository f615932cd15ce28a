import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { systemActor } from '../../src/domain/audit/audit.ts'
import { exportAudit } from '../../src/operations/background/export-audit.ts'
import { indexAudit } from '../../src/operations/background/index-audit.ts'
import { type RemovedMonth, removeOldAudit } from '../../src/operations/background/remove-audit.ts'
import { sealAll } from '../../src/operations/background/seal-audit.ts'
import { MonthsRemoved } from '../../src/operations/background/sealed-parts.ts'
import { verifyAudit } from '../../src/operations/background/verify-audit.ts'
import { lastSeal } from '../../src/storage/audit/audit-seal.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { allSettled } from '../harness/settled.ts'
import { countOf, longValue, monthsAgo, recordOld, tamper } from './old-audit.ts'

for (const engine of engines) {
  describe(`old months of the audit log (${engine})`, () => {
    const opened: OwnDatabase[] = []
    let db: Db
    let url: string
    beforeEach(async () => {
      const own = await ownDatabase(engine)
      opened.push(own)
      ;({ db, url } = own)
    })
    after(() => Promise.all(opened.map((own) => own.end())))

    const remove = async (months: number, node = db): Promise<RemovedMonth[]> => {
      const removed: RemovedMonth[] = []
      await removeOldAudit(node, { actor: systemActor, months, onRemoved: (month) => removed.push(month) })
      return removed
    }
    const assertWhole = async (entries: number) => {
      await allSettled(db)
      await sealAll(db)
      const found = await verifyAudit(db)
      assert.deepEqual([found.faults, found.entries, found.unsealed], [[], entries, 0])
      return found
    }

    test('are removed with all that belongs to them, and the chain goes on from the last removed seal', async () => {
      await recordOld(db, 4, 600)
      await recordOld(db, 3, 300)
      const root = (await lastSeal(db)).hash
      await recordOld(db, 2, 20)
      await recordOld(db, 0, 30)
      await allSettled(db)
      await indexAudit(db)
      assert.deepEqual(await remove(2), [
        { month: monthsAgo(4), seals: 3, entries: 600 },
        { month: monthsAgo(3), seals: 2, entries: 300 },
      ])
      const found = await assertWhole(52)
      assert.equal(found.root, root)
      assert.equal(await countOf(db, 'audit_entry'), 52)
      assert.equal(await countOf(db, 'audit_place'), 50)
      // Two seals of what is kept, one of the two removals, and the root.
      assert.equal(await countOf(db, 'audit_seal'), 4)
      assert.deepEqual(await remove(2), [])
    })

    test('stay as long as they are to be kept', async () => {
      await recordOld(db, 2, 10)
      assert.deepEqual(await remove(2), [])
      assert.equal((await assertWhole(10)).root, null)
    })

    test('stay while they are not sealed, and while a seal of them covers entries that are to be kept', async () => {
      await recordOld(db, 3, 10)
      await tamper(db, 'delete from audit_seal')
      assert.deepEqual(await remove(1), [])
      await tamper(db, `update audit_entry set at = '${monthsAgo(0)}-01T00:00:00.000Z' where seq = 10`)
      await sealAll(db)
      assert.deepEqual(await remove(1), [])
      await assertWhole(10)
    })

    const changes: [what: string, sql: string][] = [
      ['an entry was changed', `update audit_entry set actor = 'x' where seq = 400`],
      ['an entry was deleted', 'delete from audit_entry where seq = 400'],
      ['a seal was deleted', 'delete from audit_seal where number = 2'],
      ['a long value was changed', `update audit_value set value = '{}'`],
    ]
    for (const [what, change] of changes) {
      test(`stay as evidence when ${what}`, async () => {
        await recordOld(db, 3, 500)
        await recordOld(db, 3, 1, longValue('a'))
        await tamper(db, change)
        const count = await countOf(db, 'audit_entry')
        await assert.rejects(remove(1), /audit log is not whole/)
        assert.equal(await countOf(db, 'audit_entry'), count)
        assert.equal(await countOf(db, 'audit_root'), 0)
      })
    }

    test('are removed once by nodes that do so at the same time', async () => {
      for (const ago of [5, 4, 3]) await recordOld(db, ago, 700)
      const nodes = [db, openDatabase(url), openDatabase(url)]
      const removed = (await Promise.all(nodes.map((node) => remove(1, node)))).flat()
      await Promise.all(nodes.slice(1).map((node) => node.close()))
      assert.deepEqual(removed.map(({ month }) => month).sort(), [monthsAgo(5), monthsAgo(4), monthsAgo(3)])
      await remove(1)
      await assertWhole(3)
      assert.equal(await countOf(db, 'audit_entry'), 3)
    })

    test('are not reported as tampered with to readers that have begun before', async () => {
      for (const ago of [6, 5, 4, 3]) await recordOld(db, ago, 700)
      const node = openDatabase(url)
      const { exported } = await exportAudit(node)
      let isOver = false
      const removing = remove(1).finally(() => {
        isOver = true
      })
      while (!isOver) {
        assert.deepEqual((await verifyAudit(node)).faults, [])
        await yieldToEventLoop()
      }
      await removing
      await assert.rejects(Array.fromAsync(exported.parts()), MonthsRemoved)
      await node.close()
    })

    test('take their long values with them, except those that later entries use as well', async () => {
      await recordOld(db, 6, 1, longValue('a'))
      await recordOld(db, 6, 1, longValue('b'))
      await recordOld(db, 5, 1)
      await recordOld(db, 4, 1)
      await recordOld(db, 1, 1, longValue('b'))
      await remove(1)
      await assertWhole(4)
      assert.equal(await countOf(db, 'audit_value'), 1)
    })

    test('are missed when the entry of their removal is missing, or the log begins elsewhere', async () => {
      await recordOld(db, 3, 600)
      await recordOld(db, 1, 600)
      await remove(1)
      await tamper(db, `update audit_entry set action = 'x' where action = 'audit.remove'`)
      assert.deepEqual((await verifyAudit(db)).faults, [{ of: 'root', seal: 3, entry: null, fault: 'missing' }])
      await tamper(db, `update audit_entry set action = 'audit.remove' where action = 'x'`)
      await tamper(
        db,
        'update audit_root set number = 4, last_seq = (select last_seq from audit_seal where number = 4)',
      )
      assert.deepEqual((await verifyAudit(db)).faults, [{ of: 'root', seal: 4, entry: null, fault: 'missing' }])
      await tamper(db, 'delete from audit_root')
      assert.deepEqual((await verifyAudit(db)).faults[0], { of: 'seal', seal: 1, entry: null, fault: 'missing' })
    })

    test('leave a log that is sealed on, even if nothing else is in it', async () => {
      await recordOld(db, 3, 5)
      await remove(1)
      await assertWhole(1)
      await recordOld(db, 0, 5)
      await assertWhole(6)
    })
  })
}
