import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database.ts'
import { type Statement, statement } from '../../src/storage/statement.ts'
import { engines, freshDatabase } from '../harness/databases.ts'

const insert = statement('insert into thing (number) values ($1)')
const read = statement<{ number: number }>('select number from thing')
const nothing = statement('select 1')
/** More than Node writes to a socket at once: about half a million statements. */
const huge = 530_000

for (const engine of engines) {
  describe(`many statements right before the commit (${engine})`, () => {
    test('are sent in portions, all of which are committed', async () => {
      assert.equal(await numbersAfter([...Array(2500).keys()].map((n) => [insert, n])), 2500)
    })

    test('change nothing if one of them fails', async () => {
      const numbers = [...Array(2500).keys()].map((n) => (n === 1234 ? 0 : n))
      assert.equal(await numbersAfter(numbers.map((n) => [insert, n])), 0)
    })

    test('can be more than one write to the connection takes', async () => {
      assert.equal(await numbersAfter([...Array(huge).fill([nothing]), [insert, 1]]), 1)
    })
  })

  /** Sends statements at the end of a transaction. Returns how many numbers are stored afterwards. */
  async function numbersAfter(last: [Statement, ...number[]][]): Promise<number> {
    const database = await freshDatabase(engine)
    const db = openDatabase(database.url)
    try {
      await db.write((tx) => sql`create table thing (number integer primary key)`.execute(tx.query))
      const written = db.write(async (tx) => {
        // Has no timeout while it holds the lock, as `atrium apply` has none.
        await tx.lock('many')
        for (const [one, ...values] of last) tx.postLast(one, ...values)
      })
      await written.catch((error) => assert.match(String(error), /duplicate key|UNIQUE constraint/))
      return (await db.read(async (tx) => tx.rows(read))).length
    } finally {
      await db.close()
      await database.drop()
    }
  }
}
