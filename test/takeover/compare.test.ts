import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachEngine, startAtrium } from '../harness/atrium.ts'
import { startPlain, type View } from './plain-installation.ts'
import { run } from './run.ts'

const args = (a: string, b: string, ...more: string[]) => ['compare', '--a', a, '--b', b, '--rate', '1000', ...more]

onEachEngine('atrium compare of two Atriums', {}, (atrium) => {
  test('finds none, then each change, and a grant that is too wide', async () => {
    const other = await startAtrium('sqlite')
    try {
      const tokens = ['everything', 'hotelier', 'ward', 'bare', 'stranger']
      const lines = tokens.map((name) => `${atrium().tokens[name]} ${other.tokens[name]}`).join('\n')
      const same = await run(lines, {}, ...args(atrium().url, other.url, '--rooms'))
      assert.deepEqual([same.code, same.stderr], [0, ''], same.stdout)
      assert.match(same.stdout, /^\d+ responses of 8 facilities compared: no differences$/m)
      const body = { value: 'Changed' }
      await other.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body })
      await other.ask('POST /v1/areas/chu-nord-214/', { as: 'everything' })
      const all = `${atrium().tokens.hotelier} ${other.tokens.hotelier}\n${atrium().tokens.bare} ${other.tokens.everything}`
      const changed = await run(all, {}, ...args(atrium().url, other.url, '--json'))
      assert.equal(changed.code, 1)
      const found = changed.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const summary = found.pop()
      assert.deepEqual([summary.ok, summary.differences], [false, found.length])
      const says = (wanted: object) =>
        found.some((one) =>
          Object.entries(wanted).every(([key, value]) => JSON.stringify(one[key]) === JSON.stringify(value)),
        )
      const facility = '/v1/facilities/lyon-01/'
      for (const wanted of [
        { token: 'token 1', path: '/v1/facilities/', field: ['lyon-01', 'name'], b: 'Changed' },
        { token: 'token 1', path: facility, field: ['name'], a: 'Hôtel Bellecour', b: 'Changed' },
        { token: 'token 2', path: '/v1/facilities/', field: ['nice-02'], what: 'only in B' },
        { token: 'token 2', path: facility, field: ['address'], what: 'only in B' },
        { token: 'token 2', path: '/v1/facilities/chu-nord/areas', field: [], what: 'status 403 | 200' },
        { token: 'token 2', path: '/v1/me', field: ['partner', 'id'], a: 'bare' },
      ]) {
        assert.ok(says(wanted), `${JSON.stringify(wanted)} is not in ${changed.stdout}`)
      }
    } finally {
      await other.stop()
    }
  })
})

const summary = { id: 1, id_external: 'x', name: 'X', status: 'active' }
const service = { id: 's', code: 'tv', label: 'Mr Smith', end: '2099-01-01T00:00:00Z' }
const area = { id_external: 'x-1', data_services: [service], data_general: [] as unknown[] }
const second = { ...area, id_external: 'x-2', data_services: [] }
const entries = [
  { id_external: 'x-1', name: 'One' },
  { id_external: 'x-2', name: 'Two' },
]
const view = {
  '/v1/facilities/': [summary],
  '/v1/facilities/x/': { ...summary, type: 'hotel', date_updated: '2026-01-01' },
  '/v1/facilities/x/areas': [area, second],
  '/v1/facilities/x/areas_autocomplete_list': { areas_autocomplete_list: entries },
} satisfies View

describe('atrium compare', () => {
  const facility = '/v1/facilities/x/'
  const areas = `${facility}areas`
  const list = `${facility}areas_autocomplete_list`
  const rows: [name: string, change: View, lines: RegExp[]][] = [
    ['nothing', {}, []],
    [
      'what partners need not mind',
      {
        [facility]: { ...view[facility], date_updated: '2027-01-01', areas_count: 2 },
        [areas]: [
          { ...second, cycle: null },
          { ...area, data_services: [{ ...service, end: '2099-01-01T01:00:00.000+01:00' }] },
        ],
        '/v1/me': { partner: {} },
      },
      [],
    ],
    ['a value of another type', { [facility]: { ...view[facility], id: '1' } }, [/x\/ {2}id {2}1 \| "1"$/]],
    [
      'a field that is missing',
      { [areas]: [{ ...area, data_general: undefined }, second] },
      [/areas {2}x-1\.data_general {2}only in A$/],
    ],
    [
      'a field that a grant hides in A',
      { [facility]: { ...view[facility], address: null } },
      [/x\/ {2}address {2}only in B$/],
    ],
    ['an area that is missing', { [areas]: [area] }, [/areas {2}x-2 {2}only in A$/]],
    [
      'an area that is new',
      { [areas]: [area, second, { ...second, id_external: 'x-3' }] },
      [/areas {2}x-3 {2}only in B$/],
    ],
    [
      'a service, without its values',
      { [areas]: [{ ...area, data_services: [{ ...service, label: 'Mrs' }] }, second] },
      [/areas {2}x-1\.data_services\.s\.label {2}changed$/],
    ],
    [
      'a service that is missing',
      { [areas]: [{ ...area, data_services: [] }, second] },
      [/x-1\.data_services\.s {2}only in A$/],
    ],
    [
      'the order of the autocomplete list',
      { [list]: { areas_autocomplete_list: entries.toReversed() } },
      [/list {2}areas_autocomplete_list {2}order$/],
    ],
    ['a list in place of an object', { [list]: entries }, [/list {2}changed$/]],
    ['areas of another form, without their values', { [areas]: { data: [area] } }, [/areas {2}changed$/]],
    ['a status', { [list]: undefined }, [/list {2}status 200 \| 403$/]],
    [
      'control characters, which are escaped',
      { [facility]: { ...view[facility], name: 'a\u009b2J' } },
      [/name {2}"X" \| "a\\u009b2J"$/],
    ],
  ]
  for (const [name, change, wanted] of rows) {
    test(`finds ${name}`, async () => {
      const [a, b] = [await startPlain({ t: view }), await startPlain({ t: { ...view, ...change } }, missing(change))]
      try {
        const { code, stdout, stderr } = await run('t\n', {}, ...args(a.url, b.url))
        assert.deepEqual([code, stderr], [wanted.length > 0 ? 1 : 0, ''], stdout)
        const lines = stdout.split('\n').filter((line) => line.startsWith('token 1  '))
        assert.equal(lines.length, wanted.length, stdout)
        for (const [at, form] of wanted.entries()) assert.match(lines[at] ?? '', form)
        assert.doesNotMatch(stdout, /Smith|Mrs/)
      } finally {
        a.close()
        b.close()
      }
    })
  }

  test('ignores the fields that --ignore names, on both sides', async () => {
    const other = { [facility]: { ...view[facility], stars: 4, type: 'hospital', status: 'closed' } }
    const [a, b] = [await startPlain({ t: { ...view, ...other } }), await startPlain({ t: view })]
    const found = await run('t\n', {}, ...args(a.url, b.url, '--ignore', 'stars', 'type'))
    const none = await run('t\n', {}, ...args(a.url, b.url, '--ignore', 'stars', 'type', 'status', '--json'))
    a.close()
    b.close()
    assert.match(found.stdout, /^ {2}ignored: stars \(1, /m)
    assert.deepEqual(found.stdout.match(/^token 1 .*$/gm), [`token 1  ${facility}  status  "closed" | "active"`])
    assert.deepEqual([none.code, JSON.parse(none.stdout).differences], [0, 0])
  })

  test('counts all of it with --strict', async () => {
    const [a, b] = [await startPlain({ t: view }), await startPlain({ t: { ...view, [areas]: [second, area] } })]
    const { code, stdout } = await run('t\n', {}, ...args(a.url, b.url, '--strict'))
    a.close()
    b.close()
    assert.equal(code, 1)
    assert.match(stdout, /areas {2}order$/m)
  })

  test('reports a failing route and goes on, and fails when all do', async () => {
    const a = await startPlain({ t: view })
    const b = await startPlain({ t: view }, (request, response) => {
      if (request.url === facility) response.writeHead(418).end()
      return request.url === facility
    })
    const { code, stdout } = await run('t\n', {}, ...args(a.url, b.url))
    assert.equal(code, 1)
    assert.match(stdout, /x\/ {2}B failed: GET \/v1\/facilities\/x\/: unexpected status 418/)
    assert.match(stdout, /5 responses of 1 facility compared: 1 difference$/m)
    const away = await run('wrong\n', {}, ...args(a.url, b.url))
    assert.equal(away.code, 1)
    assert.match(away.stdout + away.stderr, /token 1 is not accepted \(401\)/)
    a.close()
    b.close()
  })
})

/** Makes paths 403 whose body is undefined. */
function missing(change: View): Parameters<typeof startPlain>[1] {
  return ({ url = '' }, response) => {
    if (!(url in change) || change[url] !== undefined) return false
    response.writeHead(403).end('{}')
    return true
  }
}
