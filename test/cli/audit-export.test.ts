import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { verifyAudit } from '../../src/operations/background/verify-audit.ts'
import type { Db } from '../../src/storage/database.ts'
import { atrium, command, serve } from '../harness/command.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { withDb } from '../harness/with-db.ts'
import { countOf, longValue, monthsAgo, recordOld } from '../storage/old-audit.ts'

for (const engine of engines) {
  describe(`exports of the audit log (${engine})`, () => {
    let database: FreshDatabase
    let folder: string
    before(async () => {
      database = await migratedDatabase(engine)
      folder = await mkdtemp(join(tmpdir(), 'atrium-audit-'))
      await onDb(async (db) => {
        await recordOld(db, 4, 300)
        await recordOld(db, 4, 2, longValue('a'))
        await recordOld(db, 3, 3000)
        await recordOld(db, 1, 10)
      })
    })
    after(async () => {
      await rm(folder, { recursive: true })
      await database.drop()
    })
    const onDb = <T>(work: (db: Db) => Promise<T>) => withDb(database.url, work)
    const run = (...args: string[]) => command({ ATRIUM_DATABASE: database.url }, 'audit', ...args)
    const prune = (months: string, to = folder) =>
      command(
        { ATRIUM_DATABASE: database.url, ATRIUM_AUDIT_MONTHS: months, ATRIUM_AUDIT_EXPORT_FOLDER: to },
        'audit',
        'prune',
      )
    const verify = async (file: string, ...args: string[]) => {
      const { code, stdout, stderr } = await run('verify', '--file', file, '--json', ...args)
      return stderr === '' ? { code, ...JSON.parse(stdout) } : { code, stderr }
    }
    const path = (ago: number) => join(folder, `audit-${monthsAgo(ago)}.jsonl.gz`)

    test('hold what was asked for, and are verified without the database', async () => {
      const whole = join(folder, 'whole.gz')
      const { stdout } = await run('export', whole)
      assert.match(stdout, /^Wrote .*: 3312 entries in 16 seals, from .+\nhead: [0-9a-f]{64}; \d+ bytes, verified by/)
      const { head } = await onDb((db) => verifyAudit(db))
      assert.deepEqual(await verify(whole, '--head', head ?? ''), {
        code: 0,
        whole: true,
        seals: 16,
        entries: 3312,
        from: `${monthsAgo(4)}-15T08:30:00.000Z`,
        to: `${monthsAgo(1)}-15T08:30:00.000Z`,
        root: null,
        head,
        faults: [],
      })
      assert.match((await run('export', whole)).stderr, /exists already/)
      const part = join(folder, 'part.gz')
      await run('export', part, '--until', monthsAgo(4))
      assert.equal((await verify(part)).entries, 302)
      assert.equal((await verify(part, '--head', head ?? '')).code, 1)
      assert.match((await run('export', part, '--until', '2026-13')).stderr, /month such as 2026-01/)
      for (const file of [whole, part]) await rm(file)
    })

    test('are found out when they were changed or cut off', async () => {
      const file = join(folder, 'changed.gz')
      await run('export', file)
      const lines = gunzipSync(await readFile(file))
        .toString()
        .split('\n')
      const store = (kept: string[]) => writeFile(file, gzipSync(kept.join('\n')))
      const entry = lines.findIndex((line) => line.includes('"4-7"'))
      const value = lines.findIndex((line) => line.startsWith('{"value"'))
      await store(lines.with(entry, (lines[entry] ?? '').replace('lyon-01', 'lyon-02')))
      assert.deepEqual((await verify(file)).faults, [{ of: 'entry', seal: 1, entry: 8, fault: 'changed' }])
      await store(lines.toSpliced(entry, 1))
      assert.match((await verify(file)).stderr, /damaged/)
      await store(lines.toSpliced(value, 1))
      assert.deepEqual(
        (await verify(file)).faults.map(({ of, fault }: Record<string, string>) => [of, fault]),
        [
          ['value', 'missing'],
          ['value', 'missing'],
        ],
      )
      await store(lines.slice(0, -2).concat(''))
      assert.match((await verify(file)).stderr, /cut off/)
      await writeFile(file, 'no file of ours')
      assert.match((await verify(file)).stderr, /not an export of the audit log/)
      await rm(file)
      assert.match((await verify(file)).stderr, /cannot read .*changed\.gz: the file does not exist/)
    })

    test('come before the removal, which keeps the log as it is when one cannot be written', async () => {
      assert.match((await prune('1', join(folder, 'missing'))).stderr, /ENOENT/)
      await writeFile(path(4), 'another file')
      assert.match((await prune('1')).stderr, /cannot use .*nothing was removed/)
      assert.equal(await onDb((db) => countOf(db, 'audit_entry')), 3312)
      await rm(path(4))
      assert.match((await command({ ATRIUM_DATABASE: database.url }, 'audit', 'prune')).stderr, /all months are kept/)
    })

    test('are complete and follow one another, whenever the removal is killed', async () => {
      const settings = {
        ATRIUM_DATABASE: database.url,
        ATRIUM_AUDIT_MONTHS: '1',
        ATRIUM_AUDIT_EXPORT_FOLDER: folder,
        ATRIUM_LOG: 'silent',
      }
      for (const delayMs of [0, 40, 90, 200, 400]) {
        const { child } = await serve(settings)
        await sleep(delayMs)
        child.kill('SIGKILL')
        await once(child, 'exit')
        assert.deepEqual(await onDb(async (db) => (await verifyAudit(db)).faults), [], `killed after ${delayMs} ms`)
      }
      assert.equal((await atrium(settings, 'audit', 'prune')).code, 0)
      const months = await Promise.all([4, 3].map((ago) => verify(path(ago))))
      assert.deepEqual(
        months.map(({ code, entries }) => [code, entries]),
        [
          [0, 302],
          [0, 3000],
        ],
      )
      await onDb(async (db) => {
        const { faults, root } = await verifyAudit(db)
        assert.deepEqual([faults, root], [[], months[1].head])
        assert.equal(months[1].root, months[0].head)
        assert.equal(await countOf(db, 'audit_entry', `action <> 'audit.remove'`), 10)
        assert.equal(await countOf(db, 'audit_seal', 'number < (select number from audit_root)'), 0)
      })
    })
  })
}
