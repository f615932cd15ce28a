import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestLogBuffer } from '../../src/operations/background/request-log-buffer.ts'
import { TokenUse } from '../../src/operations/background/token-use.ts'
import type { Db } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import { issue, onEachDatabase } from './opened.ts'

const partner = { id: 'p', name: 'P', grants: [] }
const wallMs = Date.parse('2026-11-15T08:00:10.000Z')
const minuteMs = 60_000

const answered = (partner: string, status: number) => ({
  requestId: 'r',
  partner,
  token: undefined,
  method: 'GET',
  route: '/v1/facilities/',
  facility: undefined,
  area: undefined,
  status,
  durationMs: 2,
  from: {},
})

async function counted(db: Db): Promise<{ rows: number; requests: number }> {
  return db.read(async (tx) => {
    const rows = await tx.query.selectFrom('request_count').select('requests').execute()
    return { rows: rows.length, requests: rows.reduce((sum, { requests }) => sum + Number(requests), 0) }
  })
}

/** Fails the second write. */
function failingOnce(db: Db): { failing: Db; writes: () => number } {
  let writes = 0
  const failing: Db = {
    ...db,
    write: <T>(work: (tx: Tx) => Promise<T>) => {
      if (++writes === 2) throw new Error('the disk is full')
      return db.write(work)
    },
  }
  return { failing, writes: () => writes }
}

onEachDatabase('thousands of callers in one second', { facilities: [], partners: [partner] }, (opened) => {
  test('are counted, some in each second', async () => {
    const { db } = opened()
    const book = new RequestLogBuffer(db)
    const ask = (from: number, to: number, atMs = wallMs) => {
      for (let n = from; n < to; n++) book.note(answered(`p-${n}`, n % 2 === 0 ? 200 : 304), atMs)
    }
    ask(0, 2500)
    await book.flush()
    assert.deepEqual(await counted(db), { rows: 1000, requests: 1000 })
    // Some of these are already written, some still buffered, and some belong to another minute.
    ask(500, 1500)
    ask(0, 10, wallMs + minuteMs)
    await book.flush()
    assert.deepEqual(await counted(db), { rows: 2000, requests: 2500 })
    await book.flushAll()
    assert.deepEqual(await counted(db), { rows: 2510, requests: 3510 })
    await book.flushAll()
    assert.deepEqual(await counted(db), { rows: 2510, requests: 3510 })
  })

  test('each of them is written after at most ten flushes', async () => {
    const { db } = opened()
    const book = new RequestLogBuffer(db)
    const before = await counted(db)
    for (let n = 0; n < 15_000; n++) book.note(answered(`q-${n}`, 200), wallMs)
    await book.flush()
    assert.equal((await counted(db)).requests - before.requests, 1500)
    await book.flushAll()
    assert.equal((await counted(db)).requests - before.requests, 15_000)
  })

  test('what could not be written is written later, once', async () => {
    const { db } = opened()
    const before = await counted(db)
    const { failing } = failingOnce(db)
    const book = new RequestLogBuffer(failing)
    const ask = () => {
      for (let n = 0; n < 600; n++) book.note(answered(`r-${n}`, 200), wallMs)
    }
    ask()
    await assert.rejects(book.flush(), /the disk is full/)
    ask()
    await book.flush()
    await book.flushAll()
    const after = await counted(db)
    assert.deepEqual([after.rows - before.rows, after.requests - before.requests], [600, 1200])
  })

  test('are stored as the last use of their tokens, also after a failed write', async () => {
    const { db } = opened()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await issue(db, 'p')).token.id)
    const { failing, writes } = failingOnce(db)
    const use = new TokenUse(failing)
    const strange = Array.from({ length: 1000 }, (_, n) => `strange-${n}`)
    for (const id of [...ids, ...strange]) use.note({ id }, wallMs)
    const lastUses = async () => {
      const rows = await db.read((tx) => tx.query.selectFrom('token').select('last_used_at').execute())
      return rows.map(({ last_used_at }) => last_used_at)
    }
    await assert.rejects(use.flush(), /the disk is full/)
    assert.deepEqual(new Set(await lastUses()), new Set([null]))
    await use.flush()
    assert.deepEqual(new Set(await lastUses()), new Set(['2026-11-15T08:00:00.000Z']))
    await use.flush()
    assert.equal(writes(), 6)
  })
})
