import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection } from '../../src/storage/postgres/connection.ts'
import { type FreshDatabase, freshDatabase } from '../harness/databases.ts'

/** Longer than the connect timeout. */
const blockedMs = 4000

function blockEventLoop(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs)
}

describe('a process whose event loop was blocked', () => {
  let database: FreshDatabase
  before(async () => {
    database = await freshDatabase('postgres')
  })
  after(() => database?.drop())

  test('does not take the server for unreachable or slow', async () => {
    const connection = new Connection({ url: database.url })
    const connecting = connection.connect()
    blockEventLoop()
    await connecting
    const asking = connection.withTimeout(blockedMs / 2, connection.query('select 1 as one'))
    blockEventLoop()
    assert.deepEqual((await asking).rows, [{ one: 1 }])
    await connection.end()
  })
})
