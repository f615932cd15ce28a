import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, it } from 'node:test'
import { sql } from 'kysely'
import { sealAll } from '../../src/operations/background/seal-audit.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { addOperator } from '../harness/operators.ts'
import { until } from '../harness/workers.ts'
import { longValue, monthsAgo, recordOld } from '../storage/old-audit.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-remote-audit-'))

onEachEngine('atrium audit with --server', { estate: { facilities: [], partners: [] } }, (atrium) => {
  let admin: string
  let editor: string
  const local = (...args: string[]) => command({ ATRIUM_DATABASE: atrium().databaseUrl }, 'audit', ...args)
  const remote = (...args: string[]) => command({ ATRIUM_KEY: admin, ATRIUM_SERVER: atrium().url }, 'audit', ...args)
  const file = (name: string) => join(folder, `${atrium().engine}-${name}`)
  before(async () => {
    const { db } = atrium().service
    await recordOld(db, 4, 300)
    await recordOld(db, 4, 2, longValue('a'))
    await recordOld(db, 1, 3000)
    admin = (await addOperator(atrium(), 'admin')).key
    editor = (await addOperator(atrium(), 'editor')).key
    await until('all is sealed', async () => (await sealAll(db)).unsealed === 0)
  })

  for (const line of ['verify', 'verify --json', `verify --head ${'0'.repeat(64)}`]) {
    it(`\`atrium audit ${line}\` prints the same as on the database`, async () => {
      const words = line.split(' ')
      assert.deepEqual(await remote(...words), await local(...words))
    })
  }

  for (const options of [[], ['--until', monthsAgo(4)]]) {
    it(`\`atrium audit export ${options.join(' ')}\` writes the same as on the database`, async () => {
      const name = (side: string) => file(`${side}${options.length}.gz`)
      const { code, stdout, stderr } = await remote('export', name('remote'), ...options)
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /^Wrote \S+: \d+ entries in \d+ seals, from .+\nhead: [0-9a-f]{64}; \d+ bytes, verified by/)
      await local('export', name('local'), ...options)
      const verified = (side: string) => local('verify', '--json', '--file', name(side))
      assert.deepEqual(await verified('remote'), await verified('local'))
      assert.equal((await verified('remote')).code, 0)
    })
  }

  it('is refused to the key of an editor', async () => {
    for (const args of [['verify'], ['export', file('refused.gz')]]) {
      const { code, stderr } = await command({ ATRIUM_KEY: editor, ATRIUM_SERVER: atrium().url }, 'audit', ...args)
      assert.equal(code, 1)
      assert.match(stderr, /needs the role admin; yours is editor/)
    }
  })

  it('a changed entry is found, and no file is written for a log that is not whole', async () => {
    const { db } = atrium().service
    await db.write((tx) =>
      sql`update audit_entry set subject = 'other' where seq = (select max(last_seq) from audit_seal)`.execute(
        tx.query,
      ),
    )
    const found = await remote('verify')
    assert.deepEqual(found, await local('verify'))
    assert.equal(found.code, 1)
    assert.match(found.stdout, /^Entry \d+ was changed \(seal \d+\)\.\nnot whole: 1 fault;/)
    const { code, stderr } = await remote('export', file('changed.gz'))
    assert.equal(code, 1)
    assert.match(
      stderr,
      /: the audit log is not whole at seal \d+: run `atrium audit verify` to see what was changed\n$/,
    )
    assert.ok(!readdirSync(folder).some((name) => name.includes('changed')))
    await until('the reason is logged', async () =>
      atrium().log.some(
        (line) => line.includes('/cms/v1/audit/sealed') && /the audit log is not whole at seal/.test(line),
      ),
    )
  })
})
