import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { command } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'

for (const engine of engines) {
  describe(`atrium sandbox (${engine})`, () => {
    let database: FreshDatabase
    before(async () => {
      database = await freshDatabase(engine)
      const db = openDatabase(database.url)
      await migrate(db)
      await seed(db, estate)
      await db.close()
    })
    after(() => database.drop())
    const run = (...args: string[]) => command({ ATRIUM_DATABASE: database.url }, ...args)
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json')
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    }

    test('creates a sandbox, moves its clock, resets and removes it', async () => {
      const { code, stdout } = await run('sandbox', 'create', 'ward', '--facilities', 'chu-nord')
      assert.equal(code, 0)
      const id = /atr-test\.\w{8}/.exec(stdout)?.[0] ?? ''
      assert.match(stdout, new RegExp(`atrium token create ${id} --name NAME`))
      assert.match((await json('token', 'create', id, '--name', 'ci')).token, /^atr_test_/)
      const moved = await json('sandbox', 'clock', 'ward', '--advance', 'PT2H')
      assert.equal(moved.clock.ahead_seconds, 7200)
      assert.equal((await json('sandbox', 'show', 'ward')).clock.ahead_seconds, 7200)
      assert.equal((await json('sandbox', 'reset', 'ward')).clock.ahead_seconds, 0)
      assert.ok(!JSON.stringify(await json('partner', 'list')).includes(id))
      assert.equal((await json('sandbox', 'remove', 'ward')).id, id)
      assert.deepEqual(await json('token', 'list', 'ward'), [])
    })

    const mistakes: [string, string[], RegExp][] = [
      ['a partner without one', ['show', 'bare'], /bare has no sandbox: create one with `atrium sandbox create bare/],
      ['a partner that is not there', ['show', 'wrad'], /no partner "wrad"/],
      ['a facility that is not there', ['create', 'ward', '--facilities', 'none'], /none is no facility/],
      ['one that is not granted', ['create', 'ward', '--facilities', 'lyon-01'], /lyon-01 is covered by no grant/],
      ['the same twice', ['create', 'ward', '--facilities', 'chu-nord,chu-nord'], /each of them once/],
      ['no time', ['clock', 'ward'], /either --advance or --now/],
      ['months', ['clock', 'ward', '--advance', 'P1M'], /months and years are not/],
    ]
    for (const [what, args, said] of mistakes) {
      test(`${what} is reported in one line`, async () => {
        const { code, stderr } = await run('sandbox', ...args)
        assert.equal(code, 1)
        assert.match(stderr, said)
        assert.equal(stderr.trimEnd().split('\n').length, 1)
      })
    }

    test('a token is not accepted in place of its id', async () => {
      const { stderr } = await run('token', 'revoke', `atr_test_abcdefgh_${'x'.repeat(49)}`)
      assert.match(stderr, /use the id of the token, abcdefgh/)
    })

    test('prune keeps a sandbox, and removes it with its partner', async () => {
      const { id } = await json('sandbox', 'create', 'ward', '--facilities', 'chu-nord')
      const { stdout: file } = await run('export', '--json')
      assert.ok(!file.includes(id))
      const folder = mkdtempSync(join(tmpdir(), 'atrium-sandbox-'))
      const apply = async (content: object) => {
        writeFileSync(join(folder, 'estate.json'), JSON.stringify(content))
        return run('apply', join(folder, 'estate.json'), '--prune')
      }
      const kept = JSON.parse(file)
      assert.equal((await apply(kept)).code, 0)
      assert.equal((await json('sandbox', 'show', 'ward')).id, id)
      const partners = kept.partners.filter((partner: { id: string }) => partner.id !== 'ward')
      const { code, stdout, stderr } = await apply({ ...kept, partners })
      assert.equal(code, 0, stderr)
      assert.match(stdout, /its sandbox/)
      assert.match((await run('token', 'list', id)).stderr, /no partner/)
      rmSync(folder, { recursive: true })
    })
  })
}
