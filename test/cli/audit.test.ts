import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { command } from '../harness/command.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import { allSettled } from '../harness/settled.ts'

for (const engine of engines) {
  describe(`atrium audit on ${engine}`, () => {
    let database: FreshDatabase
    const run = (...args: string[]) => command({ ATRIUM_DATABASE: database.url }, 'audit', ...args)
    before(async () => {
      database = await migratedDatabase(engine)
      const db = openDatabase(database.url)
      await migrate(db)
      await seed(db, estate)
      await allSettled(db)
      await db.close()
    })
    after(() => database.drop())

    it('seals the entries and verifies them', async () => {
      const count = estate.facilities.length + estate.partners.length
      assert.equal((await run('verify')).stdout, `whole: 0 entries in 0 seals, ${count} not sealed yet\n`)
      assert.equal((await run('seal')).stdout, `Sealed ${count} entries in 1 seal, 0 not sealed yet.\n`)
      assert.deepEqual(JSON.parse((await run('seal', '--json')).stdout), { seals: 0, entries: 0, unsealed: 0 })
      const { code, stdout } = await run('verify')
      assert.equal(code, 0)
      assert.match(stdout, new RegExp(`^whole: ${count} entries in 1 seal, 0 not sealed yet\nhead: [0-9a-f]{64}\n$`))
      const head = stdout.slice(-65, -1)
      assert.equal((await run('verify', '--head', head)).code, 0)
    })

    it('names faults and exits with 1', async () => {
      const db = openDatabase(database.url)
      await db.write((tx) => sql`update audit_entry set actor = 'somebody else' where seq = 2`.execute(tx.query))
      await db.close()
      const { code, stdout } = await run('verify', '--head', '0'.repeat(64))
      assert.equal(code, 1)
      assert.match(
        stdout,
        /^Entry 2 was changed \(seal 1\)\.\nThe given head is not in the chain: .+\.\nnot whole: 2 faults; /,
      )
      const found = JSON.parse((await run('verify', '--json')).stdout)
      assert.equal(found.whole, false)
      assert.deepEqual(found.faults, [{ of: 'entry', seal: 1, entry: 2, fault: 'changed' }])
    })
  })
}
