import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { type StoredEntry, sealAfter } from '../../src/domain/audit/audit-seal.ts'
import { sealAll, sealAudit } from '../../src/operations/background/seal-audit.ts'
import { verifyAudit } from '../../src/operations/background/verify-audit.ts'

import { addSeal, entriesBetween, lastSeal } from '../../src/storage/audit/audit-seal.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { recordAll, recordEarly } from '../harness/record.ts'
import { allSettled } from '../harness/settled.ts'

const entry = (subject: string) => {
  const about = { facility: 'lyon-01', partner: null, subject, detail: { cycle: null, added: [subject] } }
  return { at: '2026-11-15T08:30:00.000Z', actor: commandLine, action: 'services.add', ...about } as const
}
const record = async (tx: Tx, ...subjects: string[]) => recordAll(tx, subjects.map(entry))
const many = (count: number) => Array.from({ length: count }, (_, n) => `room-${n}`)

for (const engine of engines) {
  describe(`the seals of the audit log (${engine})`, () => {
    let own: OwnDatabase
    let db: Db
    before(async () => {
      own = await ownDatabase(engine)
      db = own.db
    })
    after(() => own.end())
    const run = (text: string) => db.write((tx) => sql.raw(text).execute(tx.query))
    const faults = async (head?: string) => (await verifyAudit(db, head === undefined ? {} : { head })).faults
    const tampered = async (change: string, back: string, head?: string) => {
      await run(change)
      const found = await faults(head)
      await run(back)
      assert.deepEqual(await faults(head), [], 'put back')
      return found
    }

    test('an empty log is whole, and sealing it does nothing', async () => {
      assert.deepEqual(await sealAudit(db), { seals: 0, entries: 0 })
      assert.deepEqual(await verifyAudit(db), { entries: 0, seals: 0, unsealed: 0, root: null, head: null, faults: [] })
    })

    test('every entry is sealed once, in batches', async () => {
      await db.write((tx) => record(tx, ...many(600)))
      assert.equal((await verifyAudit(db)).unsealed, 600)
      await allSettled(db)
      assert.deepEqual(await sealAll(db), { seals: 3, entries: 600, unsealed: 0 })
      assert.deepEqual(await sealAudit(db), { seals: 0, entries: 0 })
      const { head, ...counted } = await verifyAudit(db)
      assert.deepEqual(counted, { entries: 600, seals: 3, unsealed: 0, root: null, faults: [] })
      assert.match(head ?? '', /^[0-9a-f]{64}$/)
    })

    test('sealed entries are below the stable offset, also on a node that starts during an open transaction', async () => {
      const { last } = await lastSeal(db)
      const node = openDatabase(own.url)
      const { promise: end, resolve } = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const taken = db.write(async (tx) => {
        await recordEarly(tx, entry('taken back'))
        begun.resolve()
        await end
        throw new Error('taken back')
      })
      await begun.promise
      const reached = await node.auditFeed.advance().finally(resolve)
      await assert.rejects(taken, /taken back/)
      await node.close()
      assert.ok(last > 0)
      assert.equal(reached, last)
    })

    test('nodes that seal at the same time make one chain', async () => {
      await db.write((tx) => record(tx, ...many(700)))
      await allSettled(db)
      const others = [openDatabase(own.url), openDatabase(own.url)]
      const sealed = await Promise.all([db, ...others].map(sealAll))
      await Promise.all(others.map((other) => other.close()))
      await sealAll(db)
      assert.ok(sealed.some(({ entries }) => entries > 0))
      const { head: _, ...counted } = await verifyAudit(db)
      assert.deepEqual(counted, { entries: 1300, seals: 6, unsealed: 0, root: null, faults: [] })
    })

    test('a seal that follows another chain is not added', async () => {
      const [one] = await entriesBetween(db, 0, 10, 1)
      const stranger = sealAfter({ number: 6, hash: '0'.repeat(64) }, [one as StoredEntry], '2026-11-15T08:30:00.000Z')
      assert.equal(await db.write((tx) => addSeal(tx, stranger)), false)
      assert.equal((await verifyAudit(db)).seals, 6)
    })

    const columns = ['at', 'actor_kind', 'actor', 'action', 'facility', 'subject', 'detail']
    for (const column of columns) {
      test(`a change of ${column} is found`, async () => {
        const where = 'where seq = 300'
        const change = `update audit_entry set ${column} = ${column} || '.' ${where}`
        const back = `update audit_entry set ${column} = substr(${column}, 1, length(${column}) - 1) ${where}`
        assert.deepEqual(await tampered(change, back), [{ of: 'entry', seal: 2, entry: 300, fault: 'changed' }])
      })
    }

    for (const column of ['token', 'request_id', 'address', 'partner']) {
      test(`${column} that was empty is found`, async () => {
        const set = (value: string) => `update audit_entry set ${column} = ${value} where seq = 300`
        const found = await tampered(set(`''`), set('null'))
        assert.deepEqual(found, [{ of: 'entry', seal: 2, entry: 300, fault: 'changed' }])
      })
    }

    test('an entry that was deleted, moved or added is found', async () => {
      const renumber = (from: number, to: number) => `update audit_entry set seq = ${to} where seq = ${from}`
      assert.deepEqual(await tampered(renumber(250, -5), renumber(-5, 250)), [
        { of: 'entry', seal: 1, entry: -5, fault: 'added' },
        { of: 'entry', seal: 1, entry: 250, fault: 'missing' },
      ])
    })

    test('a seal that was changed, unlinked or deleted is found', async () => {
      const set = (what: string) => `update audit_seal set ${what} where number = 2`
      assert.deepEqual(await tampered(set('entries_count = 249'), set('entries_count = 250')), [
        { of: 'seal', seal: 2, entry: null, fault: 'changed' },
      ])
      assert.deepEqual(await tampered(set(`previous = 'x' || previous`), set('previous = substr(previous, 2)')), [
        { of: 'link', seal: 2, entry: null, fault: 'changed' },
        { of: 'seal', seal: 2, entry: null, fault: 'changed' },
      ])
      const move = (from: number, to: number) => `update audit_seal set number = ${to} where number = ${from}`
      assert.deepEqual(await tampered(move(2, -2), move(-2, 2)), [
        { of: 'seal', seal: 2, entry: null, fault: 'missing' },
      ])
    })

    test('a chain that was truncated is found by a head that was noted before', async () => {
      const { head } = await verifyAudit(db)
      const move = (from: number, to: number) => `update audit_seal set number = ${to} where number = ${from}`
      assert.deepEqual(await tampered(move(6, -6), move(-6, 6)), [])
      assert.deepEqual(await tampered(move(6, -6), move(-6, 6), head ?? ''), [
        { of: 'head', seal: null, entry: null, fault: 'missing' },
      ])
    })
  })
}

describe('entries that are committed in another order than they are numbered (postgres)', () => {
  let own: OwnDatabase
  let db: Db
  before(async () => {
    own = await ownDatabase('postgres')
    db = own.db
  })
  after(() => own.end())

  /** A transaction whose entry has its number and is not committed yet. */
  const holding = async () => {
    const ready = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const done = db.write(async (tx) => {
      await recordEarly(tx, entry('held'))
      ready.resolve()
      await end.promise
    })
    await ready.promise
    return { done, commit: end.resolve, takeBack: end.reject }
  }

  test('entries after those of an open transaction wait for it, and are sealed in the order of their numbers', async () => {
    const held = await holding()
    await db.write((tx) => record(tx, 'quick'))
    assert.deepEqual(await sealAudit(db), { seals: 0, entries: 0 })
    held.commit()
    await held.done
    await allSettled(db)
    assert.deepEqual(await sealAll(db), { seals: 1, entries: 2, unsealed: 0 })
    assert.deepEqual((await verifyAudit(db)).faults, [])
  })

  test('a rollback leaves a gap, which is no fault', async () => {
    const held = await holding()
    await db.write((tx) => record(tx, 'quick'))
    held.takeBack(new Error('taken back'))
    await assert.rejects(held.done, /taken back/)
    await allSettled(db)
    await sealAll(db)
    const { entries, unsealed, faults } = await verifyAudit(db)
    assert.deepEqual({ entries, unsealed, faults }, { entries: 3, unsealed: 0, faults: [] })
  })
})
