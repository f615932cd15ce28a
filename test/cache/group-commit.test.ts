import assert from 'node:assert/strict'
import { StatementSync } from 'node:sqlite'
import { after, before, describe, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import { statement } from '../../src/storage/statement.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'

const insert = (tx: Tx, name: string) => tx.query.insertInto('counter').values({ name, value: 1 }).execute()
const namesIn = async (tx: Tx) =>
  (await tx.query.selectFrom('counter').select('name').orderBy('name').execute()).map(({ name }) => name)

const reasonOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'fulfilled' ? outcome.value : `failed: ${(outcome.reason as Error).message}`

for (const engine of engines) {
  describe(`concurrent writes (${engine})`, () => {
    let own: OwnDatabase
    let db: Db
    before(async () => {
      own = await ownDatabase(engine)
      db = own.db
    })
    after(() => own.end())
    const stored = () => db.read(namesIn)
    const clear = () => db.write((tx) => tx.query.deleteFrom('counter').execute())
    const together = async (...works: ((tx: Tx) => Promise<unknown>)[]) =>
      (await Promise.allSettled(works.map((work) => db.write(work)))).map(reasonOf)

    test('a write that fails leaves nothing, and the others succeed', async () => {
      await clear()
      const outcomes = await together(
        ...Array.from({ length: 200 }, (_, n) => async (tx: Tx) => {
          const name = String(n).padStart(3, '0')
          await insert(tx, name)
          if (n % 3 === 1) throw new Error(`no ${name}`)
          return name
        }),
      )
      const failed = outcomes.filter((outcome) => String(outcome).startsWith('failed'))
      assert.equal(failed.length, 67)
      assert.equal(outcomes[1], 'failed: no 001')
      assert.deepEqual(
        await stored(),
        outcomes.filter((outcome) => !failed.includes(outcome)),
      )
    })

    test('a statement that fails fails for its own request only', async () => {
      await clear()
      const twice = async (tx: Tx) => {
        await insert(tx, 'twice')
        await insert(tx, 'twice')
      }
      const outcomes = await together(
        (tx) => insert(tx, 'a'),
        twice,
        (tx) => insert(tx, 'b'),
      )
      assert.match(String(outcomes[1]), /^failed: .*(UNIQUE|unique)/)
      assert.deepEqual(await stored(), ['a', 'b'])
    })

    test('when all fail, nothing is left, and the next one works', async () => {
      await clear()
      const failing = async (tx: Tx) => {
        await insert(tx, 'x')
        throw new Error('no')
      }
      assert.deepEqual(await together(failing, failing), ['failed: no', 'failed: no'])
      assert.deepEqual(await together((tx) => insert(tx, 'y').then(() => 'done')), ['done'])
      assert.deepEqual(await stored(), ['y'])
    })

    test('one that takes its time is waited for, and keeps what it did', async () => {
      await clear()
      const slow = async (tx: Tx) => {
        await insert(tx, 'slow')
        await sleep(100)
        return 'slow'
      }
      const late = sleep(30).then(() => db.write((tx) => insert(tx, 'late')))
      assert.deepEqual(await together(slow, async (tx) => void (await insert(tx, 'quick'))), ['slow', undefined])
      await late
      assert.deepEqual(await stored(), ['late', 'quick', 'slow'])
    })

    test('writes that wait when the database is closed are settled, and nothing breaks', async () => {
      const other = openDatabase(own.url)
      const waiting = Promise.allSettled(
        Array.from({ length: 5 }, (_, n) => other.write((tx) => insert(tx, `end ${n}`))),
      )
      await other.close()
      const outcomes = await waiting
      const committed = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [`end ${n}`] : []))
      assert.deepEqual(
        (await stored()).filter((name) => name.startsWith('end')),
        committed,
      )
      // An unhandled rejection would end the process in one of the next turns.
      await sleep(20)
    })
  })
}

describe('group commit (sqlite)', () => {
  let own: OwnDatabase
  let db: Db
  before(async () => {
    own = await ownDatabase('sqlite')
    db = own.db
    await db.write(async (tx) => {
      const trigger = `create trigger boom before insert on counter when new.name = 'boom'
        begin select raise(rollback, 'boom'); end`
      await sql.raw(trigger).execute(tx.query)
    })
  })
  after(() => own.end())
  const stored = async () => (await db.read(namesIn)).join()
  const settle = async (...works: ((tx: Tx) => Promise<unknown>)[]) =>
    (await Promise.allSettled(works.map((work) => db.write(work)))).map(({ status }) => status)

  let inserted = 0
  /** Inserts a row each time it runs, and counts the runs. */
  const countedInsert = (): [(tx: Tx) => Promise<unknown>, () => number] => {
    let begun = 0
    return [
      (tx) => {
        begun++
        return insert(tx, `counted ${inserted++}`)
      },
      () => begun,
    ]
  }

  test('far fewer commits than changes', async () => {
    const spy = mock.method(StatementSync.prototype, 'all')
    await Promise.all(Array.from({ length: 100 }, (_, n) => db.write((tx) => insert(tx, `n${n}`))))
    const commits = spy.mock.calls.filter((call) => (call.this as StatementSync).sourceSQL === 'commit').length
    spy.mock.restore()
    assert.ok(commits >= 1 && commits <= 5, `${commits} commits`)
    await db.write((tx) => tx.query.deleteFrom('counter').execute())
  })

  test('a write sees the changes of earlier ones in its batch', async () => {
    const seen = await Promise.all([
      db.write((tx) => insert(tx, 'first')),
      db.write(namesIn),
      db.write((tx) => tx.query.deleteFrom('counter').execute()),
    ])
    assert.deepEqual(seen[1], ['first'])
  })

  test('a write that is refused before it changed anything makes no other run twice', async () => {
    const [counted, begun] = countedInsert()
    const refused = async (tx: Tx) => {
      await namesIn(tx)
      throw new Error('no')
    }
    assert.deepEqual(await settle(counted, refused, counted), ['fulfilled', 'rejected', 'fulfilled'])
    assert.equal(begun(), 2)
  })

  const changes: [string, (tx: Tx) => unknown][] = [
    ['a query that was built', (tx) => insert(tx, 'change')],
    ['one that returns rows', (tx) => sql`insert into counter values ('change', 1) returning name`.execute(tx.query)],
    ['a prepared statement', (tx) => tx.post(statement(`insert into counter values ($1, 1)`), 'change')],
  ]
  for (const [what, change] of changes) {
    test(`a write that fails after a change is rolled back, and the others run again: ${what}`, async () => {
      const [counted, begun] = countedInsert()
      const before = await stored()
      const failing = async (tx: Tx) => {
        await change(tx)
        throw new Error('no')
      }
      assert.deepEqual(await settle(counted, failing, counted), ['fulfilled', 'rejected', 'fulfilled'])
      assert.equal(begun(), 3)
      assert.equal((await stored()).split('counted').length, before.split('counted').length + 2)
      assert.ok(!(await stored()).includes('change'))
    })
  }

  const disasters: [string, (tx: Tx) => Promise<unknown>][] = [
    ['the engine takes everything back', (tx) => insert(tx, 'boom')],
    [
      'the commit fails',
      async (tx) => {
        await sql`pragma defer_foreign_keys = on`.execute(tx.query)
        await tx.query
          .insertInto('autocomplete_list')
          .values({ facility_id: -1, entries: '[]', entries_count: 0 })
          .execute()
      },
    ],
  ]
  for (const [what, disaster] of disasters) {
    test(`when ${what}, none of the group is acknowledged and none is there`, async () => {
      const before = await stored()
      const outcomes = await settle(
        (tx) => insert(tx, 'a'),
        disaster,
        (tx) => insert(tx, 'b'),
      )
      assert.deepEqual(outcomes, ['rejected', 'rejected', 'rejected'])
      assert.equal(await stored(), before)
      assert.deepEqual(await settle((tx) => insert(tx, what)), ['fulfilled'])
      assert.ok((await stored()).includes(what))
    })
  }
})
