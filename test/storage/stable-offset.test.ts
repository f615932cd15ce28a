import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { commandLine } from '../../src/domain/audit/audit.ts'

import { recordAuditAs } from '../../src/storage/audit/audit.ts'
import { entriesBetween } from '../../src/storage/audit/audit-seal.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { recordAll, recordEarly } from '../harness/record.ts'

const entry = (subject: string) => {
  const about = { facility: 'lyon-01', partner: null, subject, detail: { cycle: null, added: [subject] } }
  return { at: '2026-11-15T08:30:00.000Z', actor: commandLine, action: 'services.add', ...about } as const
}

/** Adds two entries with a pause between them. Every third transaction rolls back. */
async function write(db: Db, n: number): Promise<void> {
  const isRolledBack = n % 3 === 0
  const written = db.write(async (tx) => {
    await recordEarly(tx, entry(`one-${n}`))
    await sleep(n % 7)
    await recordEarly(tx, entry(`two-${n}`))
    if (isRolledBack) throw new Error('rolled back')
  })
  await (isRolledBack ? assert.rejects(written, /rolled back/) : written)
}

for (const engine of engines) {
  describe(`the stable offset of the audit log (${engine})`, () => {
    let own: OwnDatabase
    let db: Db
    before(async () => {
      own = await ownDatabase(engine)
      db = own.db
    })
    after(() => own.end())
    const numbersUpTo = async (seq: number) => (await entriesBetween(db, 0, seq, 100_000)).map((one) => one.seq)

    test('no entry is committed below it later', async () => {
      const others = [openDatabase(own.url), openDatabase(own.url)]
      const seen = new Map<number, number[]>()
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 40; n++) await write([db, ...others][n % 3] as Db, writer + 8 * n)
      })
      let isOver = false
      const ended = Promise.all(writers).finally(() => {
        isOver = true
      })
      while (!isOver) {
        const upTo = await db.stableOffset()
        seen.set(upTo, await numbersUpTo(upTo))
        await sleep(1)
      }
      await ended
      await Promise.all(others.map((other) => other.close()))
      assert.equal((await numbersUpTo(await db.auditFeed.advance())).length, 2 * 213)
      assert.ok(seen.size > 20, `${seen.size} polls`)
      for (const [upTo, numbers] of seen) assert.deepEqual(await numbersUpTo(upTo), numbers)
    })

    test('is held up by an open transaction that has added an entry', async () => {
      const before = await db.auditFeed.lastOffset()
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const writing = db.write(async (tx) => {
        await recordEarly(tx, entry('late'))
        begun.resolve()
        await end.promise
      })
      await begun.promise
      if (engine === 'postgres') await write(db, 1)
      const node = openDatabase(own.url)
      await node.stableOffset()
      assert.ok((await node.auditFeed.advance()) <= before)
      end.resolve()
      await writing
      assert.equal(await node.auditFeed.advance(), await node.auditFeed.lastOffset())
      assert.ok((await node.auditFeed.lastOffset()) > before)
      await node.close()
    })
  })
}

/** Transactions that other sessions leave open, in this database and in another one of the server. */
const leftOpen = {
  'a transaction with an id': 'select pg_current_xact_id()',
  'a deletion of no entries': 'select pg_current_xact_id(); delete from audit_entry where seq < 0',
  'a changed entry': 'update audit_entry set detail = detail where seq = 1',
  'a lock on the table': 'lock table audit_entry in row exclusive mode; select pg_current_xact_id()',
  'a table of its own': 'create table notes (line text)',
}

describe('the stable offset with other sessions on the server', () => {
  let own: OwnDatabase
  let db: Db
  const clients: Client[] = []
  const leaveOpen = async (url: string, statement: string) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    clients.push(client)
    await client.query(`begin; ${statement}`)
  }
  before(async () => {
    own = await ownDatabase('postgres')
    db = own.db
    await write(db, 1)
    const elsewhere = new URL(own.url)
    elsewhere.pathname = '/postgres'
    await leaveOpen(elsewhere.href, leftOpen['a transaction with an id'])
  })
  after(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await own.end()
  })
  /** Asserts it on this node, and on one that has just started. */
  const assertAllStable = async () => {
    await write(db, 1)
    const highest = await db.auditFeed.lastOffset()
    const node = openDatabase(own.url)
    assert.equal(await node.stableOffset(), highest)
    assert.equal(await node.auditFeed.advance(), highest)
    assert.equal(await db.auditFeed.advance(), highest)
    await node.close()
  }

  for (const [what, statement] of Object.entries(leftOpen)) {
    test(`includes every committed entry, despite ${what} that is left open`, async () => {
      await leaveOpen(own.url, statement)
      await assertAllStable()
    })
  }

  test('includes every committed entry, despite a long transaction that adds its entries at the end', async () => {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const long = db.write(async (tx) => {
      recordAll(tx, [entry('first')])
      await tx.query.selectFrom('facility').select('id').execute()
      begun.resolve()
      await end.promise
    })
    await begun.promise
    await assertAllStable()
    end.resolve()
    await long
    assert.equal(await db.auditFeed.advance(), await db.auditFeed.lastOffset())
  })

  test('excludes a restore that has numbered its entries and has yet to commit', async () => {
    const before = await db.auditFeed.advance()
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await Promise.all(clients.splice(0).map((client) => client.end()))
    const restoring = db.write(async (tx) => {
      await tx.transfer.lockTables(['audit_entry'])
      await recordAuditAs(tx, before + 100, entry('restored'))
      await tx.transfer.continueNumbers('audit_entry')
      begun.resolve()
      await end.promise
    })
    await begun.promise
    const node = openDatabase(own.url)
    assert.equal(await node.stableOffset(), 0)
    end.resolve()
    await restoring
    assert.equal(await node.auditFeed.advance(), before + 100)
    await node.close()
  })
})
