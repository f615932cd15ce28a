import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { checkClock } from '../../src/cli/doctor/machine.ts'
import { command, type Settings, serve } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

type Finding = { check: string; ok: boolean; detail: string; advice?: string }

async function doctor(settings: Settings): Promise<{ code: number; ok: boolean; findings: Finding[] }> {
  const { code, stdout, stderr } = await command(settings, 'doctor', '--json')
  assert.equal(stderr, '')
  return { code, ...JSON.parse(stdout) }
}

function found(findings: Finding[], check: string): Finding {
  const finding = findings.find((one) => one.check === check)
  assert.ok(finding, `there is no finding "${check}" among ${findings.map((one) => one.check).join(', ')}`)
  return finding
}

for (const engine of engines) {
  describe(`atrium doctor on ${engine}`, () => {
    let database: FreshDatabase
    const settings = (more: Settings = {}) => ({ ATRIUM_DATABASE: database.url, ATRIUM_PORT: '0', ...more })
    before(async () => {
      database = await freshDatabase(engine)
    })
    after(() => database.drop())

    it('advises to set the database up', async () => {
      const { code, ok, findings } = await doctor(settings())
      assert.deepEqual([code, ok], [1, false])
      const finding = findings.find(({ advice = '' }) => advice.includes('`atrium migrate`'))
      assert.equal(finding?.ok, false)
      if (engine === 'sqlite') assert.equal(existsSync(database.url.replace('sqlite:', '')), false)
    })

    it('checks settings, Node, clock, database, durability, schema, disk and port', async () => {
      await command(settings(), 'migrate')
      const { code, ok, findings } = await doctor(settings())
      const durability = engine === 'sqlite' ? 'SQLite synchronous' : 'PostgreSQL fsync'
      const checks = ['settings', 'Node', 'clock', 'database', 'schema', 'temporary folder', 'working folder', 'port']
      for (const check of checks) assert.equal(found(findings, check).ok, true, check)
      found(findings, durability)
      // The PostgreSQL of the tests is not durable, which doctor must report.
      const needAttention = findings.filter((finding) => !finding.ok).map(({ check }) => check)
      assert.deepEqual([code, ok], needAttention.length === 0 ? [0, true] : [1, false])
      assert.ok(
        needAttention.every((check) => /^PostgreSQL (fsync|full_page_writes)$/.test(check)),
        `${needAttention}`,
      )
      for (const finding of findings) assert.equal('advice' in finding, !finding.ok, finding.check)
    })

    it('prints what needs attention and what to do', async () => {
      const { code, stdout } = await command(settings({ ATRIUM_PROT: '80' }), 'doctor')
      assert.equal(code, 1)
      assert.match(stdout, /^ok +Node +\d+\.\d+\.\d+$/m)
      assert.match(
        stdout,
        /^attention +ATRIUM_PROT +not a setting of Atrium, so it has no effect\n +-> Did you mean "ATRIUM_PORT"\?/m,
      )
      assert.match(stdout, /\n\d+ checks? needs? attention/)
    })
  })
}

describe('atrium doctor', { concurrency: 4 }, () => {
  const nowhere = { ATRIUM_DATABASE: 'postgres://root:hunter2@127.0.0.1:1/x', ATRIUM_PORT: '0' }
  for (const { when, settings, check, says, advises } of [
    {
      when: 'a setting is mistyped',
      settings: { ATRIUM_DATABSE: 'sqlite:x' },
      check: 'ATRIUM_DATABSE',
      says: /not a setting/,
      advises: /Did you mean "ATRIUM_DATABASE"\?/,
    },
    {
      when: 'a setting is none of ours',
      settings: { ATRIUM_COLOUR: 'blue' },
      check: 'ATRIUM_COLOUR',
      says: /not a setting/,
      advises: /Remove it\. `atrium --help` lists the settings/,
    },
    {
      when: 'a setting cannot be read',
      settings: { ATRIUM_PORT: '99999' },
      check: 'ATRIUM_PORT',
      says: /must be a whole number from 0 to 65535/,
      advises: /Correct it/,
    },
    {
      when: 'another setting cannot be read either',
      settings: { ATRIUM_PORT: '99999', ATRIUM_LOG: 'loud' },
      check: 'ATRIUM_LOG',
      says: /must be one of/,
      advises: /Correct it/,
    },
    {
      when: 'the database cannot be reached',
      settings: {},
      check: 'database',
      says: /cannot be reached .*ECONNREFUSED/,
      advises: /Check ATRIUM_DATABASE/,
    },
    {
      when: 'the database is of another kind',
      settings: { ATRIUM_DATABASE: 'mysql://root:hunter2@db/x' },
      check: 'database',
      says: /must be sqlite:PATH or postgres:/,
      advises: /Check ATRIUM_DATABASE/,
    },
    {
      when: 'the address is not of this machine',
      settings: { ATRIUM_HOST: '192.0.2.1', ATRIUM_PORT: '8080' },
      check: 'port',
      says: /cannot be opened \(EADDRNOTAVAIL\)/,
      advises: /ATRIUM_HOST/,
    },
  ]) {
    it(`reports when ${when}`, async () => {
      const { code, ok, findings } = await doctor({ ...nowhere, ...settings } as Settings)
      assert.deepEqual([code, ok], [1, false])
      const { ok: fine, detail, advice = '' } = found(findings, check)
      assert.equal(fine, false)
      assert.match(detail, says)
      assert.match(advice, advises)
      assert.doesNotMatch(JSON.stringify(findings), /hunter2/)
    })
  }

  for (const [iso, ok] of [
    ['1970-01-01T00:03:00Z', false],
    ['2026-11-15T08:30:00Z', true],
    ['2106-02-07T06:28:15Z', false],
  ] as const) {
    it(`finds a clock at ${iso} ${ok ? 'plausible' : 'wrong'}`, () => assert.equal(checkClock(new Date(iso)).ok, ok))
  }

  it('distinguishes another program on the port from Atrium', async () => {
    const stranger = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    const { findings } = await doctor({ ...nowhere, ATRIUM_PORT: String(port) })
    stranger.close()
    assert.match(found(findings, 'port').detail, /used by another program/)
  })

  it('finds a running Atrium on its port', async () => {
    const database = await freshDatabase('sqlite')
    const serving = await serve({ ATRIUM_DATABASE: database.url })
    const { port } = new URL(serving.url)
    const { code, findings } = await doctor({ ATRIUM_DATABASE: database.url, ATRIUM_PORT: port })
    await serving.stop()
    await database.drop()
    assert.deepEqual([code, found(findings, 'port').detail], [0, `Atrium runs on ${serving.url} and is ready`])
  })
})
