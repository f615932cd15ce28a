import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection } from '../../src/storage/postgres/connection.ts'
import { type FreshDatabase, freshDatabase } from '../harness/databases.ts'

/** Longer than anybody waits for a server. */
const heldUpMs = 4000

function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, heldUpMs)
}

describe('a process that was held up itself', () => {
  let database: FreshDatabase
  before(async () => {
    database = await freshDatabase('postgres')
  })
  after(() => database?.drop())

  test('takes the server for neither away nor silent', async () => {
    const connection = new Connection({ url: database.url })
    const connecting = connection.connect()
    standStill()
    await connecting
    const asking = connection.withTimeout(heldUpMs / 2, connection.query('select 1 as one'))
    standStill()
    assert.deepEqual((await asking).rows, [{ one: 1 }])
    await connection.end()
  })
})
