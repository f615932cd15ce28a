import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { commandLine } from '../../src/domain/audit.ts'
import { recordAudits } from '../../src/storage/audit.ts'
import { entriesBetween } from '../../src/storage/audit-seal.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'

const entry = (subject: string) => {
  const about = { facility: 'lyon-01', partner: null, subject, detail: { cycle: null, added: [subject] } }
  return { at: '2026-11-15T08:30:00.000Z', actor: commandLine, action: 'services.add', ...about } as const
}

/** Adds entries, waits, and ends; every third one is taken back. */
async function write(db: Db, n: number): Promise<void> {
  const isTakenBack = n % 3 === 0
  const written = db.write(async (tx) => {
    await recordAudits(tx, [entry(`one-${n}`)])
    await sleep(n % 7)
    await recordAudits(tx, [entry(`two-${n}`)])
    if (isTakenBack) throw new Error('taken back')
  })
  await (isTakenBack ? assert.rejects(written, /taken back/) : written)
}

for (const engine of engines) {
  describe(`what is settled of the journal (${engine})`, () => {
    let own: OwnDatabase
    let db: Db
    before(async () => {
      own = await ownDatabase(engine)
      db = own.db
    })
    after(() => own.end())
    const numbersUpTo = async (seq: number) => (await entriesBetween(db, 0, seq, 100_000)).map((one) => one.seq)

    test('nothing comes later that stands before it', async () => {
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
        const upTo = await db.settled()
        seen.set(upTo, await numbersUpTo(upTo))
        await sleep(1)
      }
      await ended
      await Promise.all(others.map((other) => other.close()))
      assert.equal((await numbersUpTo(await db.journal.reach())).length, 2 * 213)
      assert.ok(seen.size > 20, `${seen.size} looks`)
      for (const [upTo, numbers] of seen) assert.deepEqual(await numbersUpTo(upTo), numbers)
    })

    test('whoever has added something and has yet to end holds it up', async () => {
      const before = await db.journal.highest()
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const writing = db.write(async (tx) => {
        await recordAudits(tx, [entry('late')])
        begun.resolve()
        await end.promise
      })
      await begun.promise
      if (engine === 'postgres') await write(db, 1)
      const node = openDatabase(own.url)
      await node.settled()
      assert.ok((await node.journal.reach()) <= before)
      end.resolve()
      await writing
      assert.equal(await node.journal.reach(), await node.journal.highest())
      assert.ok((await node.journal.highest()) > before)
      await node.close()
    })
  })
}

describe('what is settled of the journal while somebody else is at work on the server', () => {
  let own: OwnDatabase
  let db: Db
  const clients: Client[] = []
  before(async () => {
    own = await ownDatabase('postgres')
    db = own.db
    const elsewhere = new URL(own.url)
    elsewhere.pathname = '/postgres'
    for (const url of [own.url, elsewhere.href]) {
      const client = new Client({ connectionString: url })
      await client.connect()
      await client.query('begin; select pg_current_xact_id()')
      clients.push(client)
    }
  })
  after(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await own.end()
  })

  test('is all that was committed, also for a node that has just started', async () => {
    await write(db, 1)
    const node = openDatabase(own.url)
    assert.equal(await node.settled(), await node.journal.highest())
    assert.equal(await node.journal.reach(), 2)
    await node.close()
  })
})
