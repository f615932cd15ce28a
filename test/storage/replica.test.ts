import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Refusal } from '../../src/domain/refusal.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import type { ReplicaRead, Tx } from '../../src/storage/engine.ts'
import type { PostgresInstance } from '../harness/postgres-instance.ts'
import { type OwnPostgres, startPostgres } from '../harness/postgres-server.ts'
import { follow } from '../harness/postgres-standby.ts'
import { until } from '../harness/workers.ts'

interface Seen {
  /** The highest number in the table. */
  n: number
  isStandby: boolean
}

interface Reader {
  db: Db
  reads: ReplicaRead[]
  changes: { server: string; isUsed: boolean; reason: unknown }[]
}

async function seen(tx: Tx): Promise<Seen> {
  const query = sql<Seen>`select max(n) as n, pg_is_in_recovery() as "isStandby" from number`
  return (await query.execute(tx.query)).rows[0] as Seen
}

function readerOf(primary: string, replica: string): Reader {
  const reads: ReplicaRead[] = []
  const changes: Reader['changes'] = []
  const db = openDatabase(primary, {
    responseTimeoutMs: 4000,
    replica,
    onReplicaRead: (read) => void reads.push(read),
    onReplicaChange: (change) => void changes.push(change),
  })
  return { db, reads, changes }
}

describe('reads on a standby', () => {
  let own: OwnPostgres
  let primary: PostgresInstance
  let standby: PostgresInstance
  let reader: Reader
  let n = 0
  const opened: Reader[] = []
  const open = (primaryUrl: string, replicaUrl: string) => {
    const one = readerOf(primaryUrl, replicaUrl)
    opened.push(one)
    return one
  }

  before(async () => {
    own = await startPostgres()
    primary = own.server
    standby = await own.beside('standby')
    await primary.query('create table number (n int)')
    await primary.query('insert into number values (0)')
    await follow(primary, standby)
    reader = open(primary.url, standby.url)
  })
  after(async () => {
    for (const { db } of opened) await db.close()
    await own?.stop()
  })
  afterEach(() => {
    reader.reads.length = 0
    reader.changes.length = 0
  })

  /** Commits the next number, durably or not. */
  const commit = (durability: 'full' | 'relaxed' = 'full') => {
    n++
    return reader.db.write((tx) => sql`insert into number values (${n})`.execute(tx.query), { durability })
  }
  const read = ({ db }: Reader = reader) => db.readFromReplica(seen)
  const isUsed = async (one: Reader = reader) => {
    assert.equal((await read(one)).n, n)
    return one.reads.at(-1) === 'replica'
  }
  const untilUsed = (one: Reader = reader) => until('the standby is used', () => isUsed(one))

  async function assertOnPrimary(one: Reader = reader): Promise<void> {
    for (let times = 0; times < 10; times++) {
      await commit()
      assert.deepEqual(await read(one), { n, isStandby: false })
    }
    assert.ok(!one.reads.includes('replica'), one.reads.join(' '))
  }

  test('they see every commit, durable or relaxed', async () => {
    await untilUsed()
    for (let times = 0; times < 100; times++) {
      await commit(times % 2 === 0 ? 'full' : 'relaxed')
      const { n: found, isStandby } = await read()
      assert.equal(found, n)
      assert.equal(isStandby, reader.reads.at(-1) === 'replica')
    }
    assert.ok(reader.reads.filter((one) => one === 'replica').length > 20, reader.reads.join(' '))
  })

  test('while it replays nothing, they run on the primary', async () => {
    await untilUsed()
    await standby.query('select pg_wal_replay_pause()')
    reader.reads.length = 0
    await assertOnPrimary()
    assert.deepEqual([reader.reads[0], new Set(reader.reads)], ['behind', new Set(['behind', 'paused'])])
    await standby.query('select pg_wal_replay_resume()')
    await untilUsed()
  })

  test('what it shows before the primary is not read from it', async () => {
    await untilUsed()
    await setting('synchronous_standby_names', 'nobody')
    const waiting = primary.query(`insert into number values (${n + 1})`)
    try {
      await until('the standby shows it', async () => (await highest(standby)) === n + 1)
      reader.reads.length = 0
      assert.deepEqual(await read(), { n, isStandby: false })
      assert.deepEqual(reader.reads, ['ahead'])
    } finally {
      await until('the commit waits no more', async () => {
        const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
        return (await primary.query(cancel)).length > 0
      })
      await waiting
      n++
      await setting('synchronous_standby_names', '')
    }
    await untilUsed()
  })

  test('a transaction that is open for long does not keep them from it', async () => {
    await untilUsed()
    await reader.db.write(async (tx) => {
      await sql`insert into number values (-1)`.execute(tx.query)
      await commit()
      reader.reads.length = 0
      await untilUsed()
    })
  })

  test('work runs again on the primary when the standby ends its connection', async () => {
    await untilUsed()
    let runs = 0
    const found = await reader.db.readFromReplica(async (tx) => {
      runs++
      const { isStandby } = await seen(tx)
      if (isStandby) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.query)
      return seen(tx)
    })
    assert.deepEqual([found, runs, reader.reads.at(-1)], [{ n, isStandby: false }, 2, 'failed'])
  })

  test('an error of the work itself is thrown, and nothing runs again', async () => {
    await untilUsed()
    reader.reads.length = 0
    let runs = 0
    const work = async (tx: Tx) => {
      runs++
      await seen(tx)
      throw new Refusal('partner_not_found', 'There is none.')
    }
    await assert.rejects(reader.db.readFromReplica(work), { code: 'partner_not_found' })
    assert.equal(runs, 1)
    assert.ok(await isUsed())
  })

  test('while it does not respond or is down, they run on the primary, which is reported once', async () => {
    await untilUsed()
    reader.changes.length = 0
    reader.reads.length = 0
    standby.freeze()
    try {
      await assertOnPrimary()
    } finally {
      standby.thaw()
    }
    await standby.kill()
    await assertOnPrimary()
    assert.deepEqual(
      reader.changes.map(({ server, isUsed: used }) => [server, used]),
      [[new URL(standby.url).host, false]],
    )
    assert.match(String(reader.changes[0]?.reason), /Error: ./)
    await standby.start()
    await untilUsed()
    assert.equal(reader.changes.at(-1)?.isUsed, true)
  })

  test('a server that shows not enough, is another database or no standby is not used', async () => {
    await primary.query("create role plain login password 'plain'")
    await primary.query('grant select, insert on number to plain')
    await primary.query('create database other')
    const asPlain = (url: string) => url.replace(/\/\/postgres:[^@]+@/, '//plain:plain@')
    const plain = open(asPlain(primary.url), asPlain(standby.url))
    await assertOnPrimary(plain)
    assert.ok(plain.reads.includes('unusable'))
    await primary.query('grant pg_read_all_stats to plain')
    await untilUsed(plain)
    const other = open(primary.url, standby.url.replace(/postgres$/, 'other'))
    await assertOnPrimary(other)
    assert.ok(other.reads.includes('unusable'))
    const same = open(primary.url, primary.url)
    await assertOnPrimary(same)
    assert.match(String(same.changes[0]?.reason), /no standby/)
  })

  test('the next of several standbys is used when the first one fails', async () => {
    const several = open(primary.url, standby.url.replace('@', '@127.0.0.1:1,'))
    await untilUsed(several)
  })

  test('once it is promoted, neither it nor what follows it is used', async () => {
    const second = await own.beside('second')
    await follow(primary, second, standby)
    const ofSecond = open(primary.url, second.url)
    await untilUsed(ofSecond)
    await untilUsed()
    await standby.query('select pg_promote()')
    // Takes the log of the new history beyond the end of the old one, so that positions alone would be no proof.
    await standby.query('create table more as select generate_series(1, 100000)')
    await until('the second standby follows', async () => (await timelineOf(second)) === 2)
    for (const one of [reader, ofSecond]) {
      one.reads.length = 0
      await assertOnPrimary(one)
    }
  })

  async function setting(name: string, value: string): Promise<void> {
    await primary.query(`alter system set ${name} = '${value}'`)
    await primary.query('select pg_reload_conf()')
  }
})

async function highest(server: PostgresInstance): Promise<number> {
  const [row] = await server.query('select max(n) as n from number')
  return row?.n as number
}

async function timelineOf(standby: PostgresInstance): Promise<number> {
  const [row] = await standby.query('select received_tli from pg_stat_wal_receiver')
  return row?.received_tli as number
}
