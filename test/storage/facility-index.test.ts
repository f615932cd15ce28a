import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { commandLine } from '../../src/domain/audit/audit.ts'
import type { LogPosition } from '../../src/domain/log-cursor.ts'
import { indexAudit } from '../../src/operations/background/index-audit.ts'
import { indexedOffset } from '../../src/storage/audit/facility-index.ts'
import { pageOfAudit } from '../../src/storage/cms/audit.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { recordAll } from '../harness/record.ts'
import { until } from '../harness/workers.ts'

const facilities = ['annecy-01', 'lyon-01', null]
/** Entries whose times are not in the order of their numbers, as the clocks of nodes differ. */
const entry = (n: number) => {
  const at = new Date(Date.UTC(2026, 10, 15) + ((n * 7) % 100) * 1000).toISOString()
  const about = { facility: facilities[n % 3] as string | null, partner: null, subject: `${n}`, detail: {} }
  return { at, actor: commandLine, action: 'services.add', ...about } as const
}

for (const engine of engines) {
  describe(`entries of the audit log by facility (${engine})`, () => {
    let own: OwnDatabase
    let db: Db
    let count = 0
    before(async () => {
      own = await ownDatabase(engine)
      db = own.db
    })
    after(() => own.end())
    const record = async (more: number) => {
      const entries = Array.from({ length: more }, () => entry(count++))
      await db.write(async (tx) => recordAll(tx, entries))
    }
    const page = (after: LogPosition | undefined, limit: number, filter = {}) =>
      db.read((tx) => pageOfAudit(tx, { facility: 'lyon-01', ...filter }, after, limit))
    const inPages = async (limit: number) => {
      const all = []
      for (let after: LogPosition | undefined; ; ) {
        const { rows } = await page(after, limit)
        all.push(...rows)
        if (rows.length < limit) return all
        after = rows.at(-1)
      }
    }
    const assertAllFound = async () => {
      const expected = Array.from({ length: count }, (_, n) => ({ ...entry(n), seq: n + 1 }))
        .filter(({ facility }) => facility === 'lyon-01')
        .sort((a, b) => (a.at === b.at ? b.seq - a.seq : a.at < b.at ? 1 : -1))
        .map(({ subject }) => subject)
      for (const limit of [7, 50, 10_000]) {
        assert.deepEqual(
          (await inPages(limit)).map(({ subject }) => subject),
          expected,
        )
      }
    }

    /** Runs the job until all entries are indexed. On PostgreSQL a run can find that the stable offset is held up. */
    const indexAll = (nodes: Db[]) =>
      until('all entries are indexed', async () => {
        await Promise.all(nodes.map(indexAudit))
        return (await indexedOffset(db)) === count
      })

    test('are found before they are indexed', async () => {
      await record(200)
      assert.equal(await indexedOffset(db), 0)
      await assertAllFound()
    })

    test('are found once they are indexed', async () => {
      await indexAll([db])
      await assertAllFound()
    })

    test('are found when only some are indexed', async () => {
      await record(100)
      await assertAllFound()
      const { rows } = await page(undefined, 50, { subject: '250', since: entry(250).at })
      assert.deepEqual(
        rows.map(({ subject }) => subject),
        ['250'],
      )
    })

    test('are indexed once by nodes that do so at the same time', async () => {
      await record(9000)
      const others = [openDatabase(own.url), openDatabase(own.url)]
      await indexAll([db, ...others])
      await Promise.all(others.map((other) => other.close()))
      const { rows } = await db.read((tx) => pageOfAudit(tx, { facility: 'annecy-01' }, undefined, 20_000))
      assert.equal(rows.length, count / 3)
      await assertAllFound()
    })
  })
}
