import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { secretSettings } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { textOf, yamlOf } from '../../tools/place/files.ts'
import { command } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-secrets-'))
let count = 0

function fileWith(text: string): string {
  const path = join(folder, `secret-${count++}`)
  writeFileSync(path, text)
  return path
}

for (const engine of engines) {
  describe(`ATRIUM_DATABASE_FILE on ${engine}`, () => {
    let database: FreshDatabase
    before(async () => {
      database = await freshDatabase(engine)
    })
    after(() => database.drop())

    for (const [title, end] of [
      ['without a line break', ''],
      ['with a line break at the end', '\n'],
      ['with a line break of Windows', '\r\n'],
    ]) {
      it(`names a file with the URL, ${title}`, async () => {
        const settings = { ATRIUM_DATABASE_FILE: fileWith(`${database.url}${end}`) }
        const { code, stdout, stderr } = await command(settings, 'migrate', '--json')
        assert.deepEqual([code, stderr], [0, ''])
        assert.match(JSON.parse(stdout).schema, /^\d{4}-/)
      })
    }
  })
}

describe('a file with a secret', () => {
  const secret = 'postgres://root:hunter2@127.0.0.1:1/x'
  const cases: [when: string, settings: Record<string, string>, says: RegExp][] = [
    [
      'does not exist',
      { ATRIUM_DATABASE_FILE: '/none' },
      /ATRIUM_DATABASE_FILE: the file \/none cannot be read \(ENOENT\)/,
    ],
    ['is a folder', { ATRIUM_DATABASE_FILE: folder }, /ATRIUM_DATABASE_FILE: the file \S+ cannot be read \(EISDIR\)/],
    ['is empty', { HTTPS_PROXY_FILE: fileWith('') }, /HTTPS_PROXY_FILE: the file \S+secret-\d+ is empty/],
    ['has only a line break', { HTTPS_PROXY_FILE: fileWith('\n') }, /HTTPS_PROXY_FILE: the file \S+ is empty/],
    ['has two lines', { ATRIUM_DATABASE_FILE: fileWith(`${secret}\n${secret}\n`) }, /\S+ must have a single line/],
    [
      'is named beside the setting itself',
      { ATRIUM_DATABASE: secret, ATRIUM_DATABASE_FILE: fileWith(secret) },
      /ATRIUM_DATABASE_FILE and ATRIUM_DATABASE are both set: remove one of them/,
    ],
  ]
  for (const [when, settings, says] of cases) {
    it(`that ${when} is refused`, async () => {
      const { code, stdout, stderr } = await command(settings, 'partner', 'list')
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, says)
      assert.match(stderr, /^atrium: [^\n]+\n$/)
      assert.doesNotMatch(stderr, /hunter2/)
    })

    it(`that ${when} is reported by doctor`, async () => {
      const all = { ATRIUM_PORT: '0', ATRIUM_DATABASE: 'sqlite:/none/x.db', ...settings }
      if (settings.ATRIUM_DATABASE_FILE && !settings.ATRIUM_DATABASE) all.ATRIUM_DATABASE = ''
      const { code, stdout } = await command(all, 'doctor', '--json')
      const [name = ''] = Object.keys(settings).filter((one) => one.endsWith('_FILE'))
      const finding = JSON.parse(stdout).findings.find(({ check }: { check: string }) => check === name)
      assert.equal(code, 1)
      assert.match(finding.detail, says)
    })
  }

  it('is read for every secret setting', () => {
    const openId = { ATRIUM_OIDC_ISSUER: 'https://id.example', ATRIUM_OIDC_CLIENT_ID: 'atrium' }
    const files = Object.fromEntries(secretSettings.map((name) => [`${name}_FILE`, fileWith('http://x=hunter2\n')]))
    const config = readConfig({
      ...openId,
      ...files,
      ATRIUM_DATABASE_FILE: fileWith('postgres://x:hunter2@db1/x\n'),
      ATRIUM_DATABASE_REPLICA_FILE: fileWith('postgres://x:hunter2@db2/x\n'),
      HTTPS_PROXY_FILE: fileWith('http://proxy:3128\n'),
      OTEL_EXPORTER_OTLP_HEADERS_FILE: fileWith('a=1\n'),
      OTEL_EXPORTER_OTLP_TRACES_HEADERS_FILE: fileWith('b=2\n'),
      OTEL_EXPORTER_OTLP_METRICS_HEADERS_FILE: fileWith('c=3\n'),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      ATRIUM_PUBLIC_URL: 'https://atrium.example',
    })
    assert.deepEqual([config.database, config.openId?.clientSecret], ['postgres://x:hunter2@db1/x', 'http://x=hunter2'])
    assert.equal(config.databaseReplica, 'postgres://x:hunter2@db2/x')
    assert.equal(config.proxy?.url, 'http://proxy:3128')
    assert.deepEqual(config.telemetry?.traces?.headers, { a: '1', b: '2' })
    assert.deepEqual(config.telemetry?.metrics?.headers, { a: '1', c: '3' })
  })

  it('can be named in the deployment files for every secret setting', () => {
    const schema = JSON.parse(textOf('deploy/helm/atrium/values.schema.json'))
    const names = schema.properties.secretSettings.propertyNames.enum
    // Servers do not use the key, which is for commands.
    assert.deepEqual(['ATRIUM_DATABASE', ...names, 'ATRIUM_KEY'], secretSettings)
    const { environment } = yamlOf('deploy/compose.yaml').services['node-1']
    assert.deepEqual(
      [environment.ATRIUM_DATABASE, environment.ATRIUM_DATABASE_FILE],
      [undefined, '/run/secrets/database'],
    )
  })
})
