import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { type PlainInstallation, startPlain } from './plain-installation.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-timezone-'))
after(() => rmSync(folder, { recursive: true }))

const facility = { id: 1, id_external: 'nantes', name: 'Nantes', status: 'active' }
const services = [
  { id: 'a', code: 'tv', label: null, status: 'active', start: '2099-07-01T10:00:00', end: '2099-07-02' },
  { id: 'b', code: 'wifi', label: null, status: 'active', start: '2099-01-01 10:00:00', end: null },
]
const area = { id_external: 'nantes-1', name: 'One', data_services: services, data_general: [] }
const views = {
  t: {
    '/v1/facilities/': [facility],
    '/v1/facilities/nantes/': facility,
    '/v1/facilities/nantes/areas': [{ ...area, opened_at: '2026-07-01T09:30:00' }],
    '/v1/facilities/nantes/areas_autocomplete_list': { areas_autocomplete_list: [] },
  },
}
const grants = [{ facilities: '*', read: ['areas', 'areas_autocomplete_list'], write: [], rooms: ['services'] }]
const estate = { facilities: [], partners: [{ id: 'everything', name: 'Everything', grants }] }
const inParis = ['--timezone', 'Europe/Paris']
const unclear = /rooms with dates without an offset, read as UTC: --timezone names their zone \(1, nantes-1\)/

onEachEngine('dates without an offset', { estate }, (atrium) => {
  let old: PlainInstallation
  before(async () => {
    old = await startPlain(views)
  })
  after(() => old.close())

  const mirror = (...more: string[]) => {
    const settings = { ATRIUM_DATABASE: atrium().databaseUrl }
    return run('t\n', settings, 'mirror', '--from', old.url, '--token', '-', '--once', '--rate', '1000', ...more)
  }
  const compare = (...more: string[]) => {
    const tokens = `t ${atrium().tokens.everything}\n`
    return run(tokens, {}, 'compare', '--a', old.url, '--b', atrium().url, '--rate', '1000', ...more)
  }
  const times = async () => {
    const [{ opened_at: openedAt, data_services: stored }] = (
      await atrium().ask('GET /v1/facilities/nantes/areas', { as: 'everything' })
    ).body
    const windows = stored.map(({ start, end }: { start: string; end: string | null }) => [start, end])
    return [openedAt, ...windows.flat()]
  }
  const right = [
    '2026-07-01T07:30:00.000Z',
    ...['2099-07-01T08:00:00.000Z', '2099-07-02T22:00:00.000Z'],
    ...['2099-01-01T09:00:00.000Z', null],
  ]

  test('are mirrored as UTC with a note, if their zone is not known', async () => {
    const { code, stdout, stderr } = await mirror()
    assert.equal(code, 0, stderr)
    assert.match(stdout, unclear)
    assert.deepEqual((await times())[0], '2026-07-01T09:30:00.000Z')
  })

  test('are mirrored in the zone of the command', async () => {
    const { stdout } = await mirror(...inParis)
    assert.match(stdout, /^~ room nantes-1$/m)
    assert.doesNotMatch(stdout, unclear)
    assert.deepEqual(await times(), right)
  })

  test('are mirrored in the zone that is stored', async () => {
    const { stdout } = await mirror()
    assert.match(stdout, /, 0 differences written$/m)
    assert.doesNotMatch(stdout, unclear)
  })

  test('are compared in the zone of the command', async () => {
    const { code, stdout } = await compare(...inParis)
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^ {2}times without an offset, read in Europe\/Paris \(4, /m)
  })

  for (const [what, more, says] of [
    ['without a zone', [], 'changed, or without an offset: --timezone names its zone'],
    ['in another zone', ['--timezone', 'Europe/London'], 'changed'],
    ['with --strict', [...inParis, '--strict'], 'changed'],
  ] as const) {
    test(`differ ${what}`, async () => {
      const { code, stdout } = await compare(...more)
      assert.equal(code, 1)
      const lines = stdout.split('\n').filter((line) => line.includes('.data_services.') && line.endsWith(`  ${says}`))
      assert.equal(lines.length, 3, stdout)
    })
  }

  test('are pulled into a backup in the zone of the command, and as UTC with a note', async () => {
    const guests = join(folder, atrium().engine)
    const pull = (file: string, ...more: string[]) => {
      const state = ['--state', `${file}.state`, '--guests', file]
      return run('t\n', {}, 'pull', '--base-url', old.url, '--token', '-', '--rate', '1000', ...state, ...more)
    }
    const zoned = await pull(`${guests}-zoned.gz`, ...inParis)
    assert.equal(zoned.code, 0, zoned.stderr)
    assert.doesNotMatch(zoned.stderr, unclear)
    const { code, stderr } = await pull(`${guests}.gz`)
    assert.equal(code, 0)
    assert.match(stderr, unclear)
  })
})
