import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'yaml'
import { onEachEngine } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { freshDatabase } from '../harness/databases.ts'
import { estate } from '../harness/estate.ts'
import { oldViews, type PlainInstallation, startPlain } from './plain-installation.ts'
import { run, start } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-pull-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)
const args = (url: string, state: string, ...more: string[]) => [
  ...['pull', '--base-url', url, '--token', '-', '--rate', '1000', '--state', file(state)],
  ...more,
]

onEachEngine('atrium pull from an Atrium', {}, (atrium) => {
  test('writes a file that apply turns into the same estate', async () => {
    const { everything, ward } = atrium().tokens
    const zone = ['--timezone', 'Europe/Paris']
    const pulled = await run(`${everything}\n\n${ward}\n`, {}, ...args(atrium().url, 'full.state', ...zone))
    assert.equal(pulled.code, 0, pulled.stderr)
    assert.ok(!existsSync(file('full.state')))
    writeFileSync(file('full.yaml'), pulled.stdout)
    const fresh = await freshDatabase(atrium().engine)
    try {
      const settings = { ATRIUM_DATABASE: fresh.url }
      const applied = await command(settings, 'apply', file('full.yaml'))
      assert.equal(applied.code, 0, applied.stderr)
      const { facilities, partners } = JSON.parse((await command(settings, 'export', '--json')).stdout)
      const source = { ATRIUM_DATABASE: atrium().databaseUrl }
      const wanted = JSON.parse((await command(source, 'export', '--json')).stdout)
      // No room shows services, so that room_services is not known; the time zone is that of the command.
      const known = (all: object[]) => all.map((one) => ({ ...one, room_services: false, timezone: 'Europe/Paris' }))
      assert.deepEqual(facilities, known(wanted.facilities))
      assert.deepEqual(
        partners.map(({ id }: { id: string }) => id),
        ['everything', 'ward'],
      )
      assert.deepEqual(partners[1].grants[0].rooms, ['open_close', 'services'])
      assert.deepEqual(partners[1].grants[0].facilities, ['chu-nord'])
    } finally {
      await fresh.drop()
    }
  })

  test('reads with one token after the other only while something is hidden', async () => {
    const { bare, hotelier } = atrium().tokens
    const pulled = await run(`${bare}\n${hotelier}\n`, {}, ...args(atrium().url, 'part.state', '--json'))
    assert.equal(pulled.code, 0, pulled.stderr)
    const { facilities } = JSON.parse(pulled.stdout)
    assert.deepEqual(
      facilities.map((one: { id_external: string; areas?: object[] }) => [one.id_external, one.areas?.length]),
      [
        ['lyon-01', 4],
        ['chu-nord', undefined],
        ['nice-02', 1],
      ],
    )
    assert.equal(facilities[0].ssid_public, estate.facilities[0]?.ssid_public)
    assert.match(pulled.stderr, /hidden from every token: the areas of facilities \(1, chu-nord\)/)
    assert.match(pulled.stderr, /hidden from every token: the field devices of facilities \(3, lyon-01/)
  })
})

describe('atrium pull from an installation without extensions', () => {
  const tokens = 'secret-one\nsecret-two\n'
  const withOld = async (
    work: (old: PlainInstallation) => Promise<void>,
    ...meddle: Parameters<typeof startPlain>[1][]
  ) => {
    const old = await startPlain(oldViews, ...meddle)
    try {
      await work(old)
    } finally {
      old.close()
    }
  }

  test('merges what the tokens see, and says what is missing, without changing values', () =>
    withOld(async (old) => {
      const pulled = await run(tokens, {}, ...args(`${old.url}/v1/`, 'old.state', '--output', file('old.yaml')))
      assert.deepEqual([pulled.code, pulled.stdout], [0, ''], pulled.stderr)
      const text = readFileSync(file('old.yaml'), 'utf8')
      assert.deepEqual(parse(text), {
        facilities: [
          {
            ...{ id: 7, id_external: 'old-01', name: 'Old House', status: 'active', ssid_public: 'Old' },
            ...{ subscription_url: 'https://p.example/', room_services: true },
            devices: [{ id: 'tv-9', type: 'tv', model: null, serial: null, status: null, area: null }],
            areas: [
              { id: '1', name: 'Room one', data_general: [{ floor: 1 }] },
              { id: '2', name: '2' },
            ],
            areas_autocomplete_list: [{ id: '1', name: 'Room one' }],
          },
          { id_external: 'old-02', name: 'Annex', status: 'active' },
        ],
        partners: [],
      })
      for (const line of [
        'the field "stars" of facilities, which Atrium does not have (1, old-01)',
        'the member "box" of addresses, which Atrium does not have (1, old-01)',
        'the field "smoking" of areas, which Atrium does not have (1, old-01-2)',
        'addresses without a country (1, old-01)',
        'the room of devices whose room is not among the areas (1, old-01 tv-9)',
        'areas whose id_external does not begin with that of the facility (1, old-01)',
        'areas without a name; their short id is their name (1, old-01-2)',
        '"data_general" of areas: it must be a map (1, old-01 areas[1])',
        'hidden from every token: the areas of facilities (1, old-02)',
        'hidden from every token: the autocomplete lists of facilities (1, old-02)',
        'the numeric id of facilities that share one: a new one is assigned (1, old-02)',
      ]) {
        assert.ok(pulled.stderr.includes(`  ${line}\n`), `${line} is not in ${pulled.stderr}`)
        assert.ok(text.includes(`# - ${line}\n`), line)
      }
      assert.match(text, /"type" of facilities: it must be a lower-case word/)
      assert.match(text, /partners and grants, which this installation does not show.* \(2, token 1, token 2\)/)
      assert.ok(old.requests.every(({ method }) => method === 'GET'))
      const fresh = { ATRIUM_DATABASE: `sqlite:${file('old.db')}` }
      assert.equal((await command(fresh, 'apply', file('old.yaml'))).code, 0)
    }))

  test('continues after kill -9 with the same result, and reads no facility twice', async () => {
    let stall = true
    await withOld(
      async (old) => {
        const killed = start(tokens, {}, ...args(old.url, 'killed.state', '--json'))
        while (!old.requests.some(({ path }) => path.includes('old-02')))
          await new Promise((done) => setTimeout(done, 10))
        killed.child.kill('SIGKILL')
        assert.equal((await killed.outcome).code, null)
        // A line that was cut off does not count.
        writeFileSync(file('killed.state'), '{"id":"old-02","facili', { flag: 'a' })
        stall = false
        const before = old.requests.length
        const again = await run(tokens, {}, ...args(old.url, 'killed.state', '--json'))
        assert.equal(again.code, 0, again.stderr)
        const paths = old.requests.slice(before).map(({ path }) => path)
        assert.ok(paths.length > 0 && paths.every((path) => path.startsWith('/v1/facilities/old-02/')), paths.join())
        const whole = await run(tokens, {}, ...args(old.url, 'whole.state', '--json'))
        assert.equal(again.stdout, whole.stdout)
        assert.ok(!existsSync(file('killed.state')))
      },
      ({ url }) => stall && url === '/v1/facilities/old-02/',
    )
  })

  test('an interruption keeps the state, which belongs to its tokens and holds none', async () => {
    await withOld(
      async (old) => {
        const slow = start(tokens, {}, ...args(old.url, 'kept.state'))
        while (!old.requests.some(({ path }) => path.includes('old-02')))
          await new Promise((done) => setTimeout(done, 10))
        slow.child.kill('SIGINT')
        const { code, stdout, stderr } = await slow.outcome
        assert.deepEqual([code, stdout], [1, ''])
        assert.match(stderr, /atrium: interrupted: what was read is kept in .*kept\.state: run the same command again/)
        assert.ok(!/secret-/.test(stderr + readFileSync(file('kept.state'), 'utf8')))
        const other = await run('secret-one\n', {}, ...args(old.url, 'kept.state'))
        assert.equal(other.code, 1)
        assert.match(other.stderr, /belongs to a pull with another address, other tokens or other guests: delete it/)
      },
      ({ url }) => url === '/v1/facilities/old-02/',
    )
  })

  test('writes nothing when a facility cannot be read, except with --partial', () =>
    withOld(
      async (old) => {
        const refused = await run('secret-two\n', {}, ...args(old.url, 'odd.state', '--json'))
        assert.deepEqual([refused.code, refused.stdout], [1, ''])
        assert.match(refused.stderr, /^old-01: GET \/v1\/facilities\/old-01\/: unexpected status 418/m)
        const part = await run('secret-two\n', {}, ...args(old.url, 'odd.state', '--json', '--partial'))
        assert.equal(part.code, 1)
        const { facilities } = JSON.parse(part.stdout)
        assert.deepEqual(
          facilities.map((one: { id_external: string }) => one.id_external),
          ['old-02'],
        )
      },
      ({ url }, response) => {
        if (url === '/v1/facilities/old-01/') response.writeHead(418).end()
        return url === '/v1/facilities/old-01/'
      },
    ))

  for (const { name, input, more = [], says } of [
    { name: 'no token', input: '\n', says: /no token on standard input/ },
    { name: 'a line of two words', input: 'secret-one secret-two\n', says: /line 1 of standard input has 2 words/ },
    { name: 'a wrong token', input: 'secret-one\nsecret-3\n', says: /token 2 is not accepted \(401\)/ },
    {
      name: 'a token in the arguments',
      input: '',
      more: ['--token', 'secret-one'],
      says: /--token must be -: tokens are read/,
    },
    {
      name: 'an address with a password',
      input: '',
      more: ['--base-url', 'http://a:b@c/'],
      says: /without a user name/,
    },
  ]) {
    test(`${name} is refused, and no token is printed`, () =>
      withOld(async (old) => {
        const { code, stdout, stderr } = await run(input, {}, ...args(old.url, 'refused.state', ...more))
        assert.ok(code > 0)
        assert.equal(stdout, '')
        assert.match(stderr, says)
        assert.doesNotMatch(stderr, /secret-/)
        rmSync(file('refused.state'), { force: true })
      }))
  }
})
