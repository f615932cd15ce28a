import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { engines } from '../harness/databases.ts'
import { oldViews, startPlain, type View } from './plain-installation.ts'
import { run, start } from './run.ts'

const until = async (isSo: () => Promise<boolean> | boolean) => {
  while (!(await isSo())) await sleep(20)
}
const args = (url: string, ...more: string[]) => ['mirror', '--from', url, '--token', '-', '--rate', '1000', ...more]

for (const engine of engines) {
  describe(`atrium mirror into ${engine}`, () => {
    let old: TestAtrium
    let own: TestAtrium
    const settings = () => ({ ATRIUM_DATABASE: own.databaseUrl })
    const token = () => `${old.tokens.everything}\n`
    const service = (code: string, more = {}) => ({ value: JSON.stringify([{ code, end: '2099-01-01', ...more }]) })
    const inOld = async (request: string, body?: object) => {
      const { status, body: answer } = await old.ask(request, { as: 'everything', ...(body && { body }) })
      assert.equal(status, 200, JSON.stringify(answer))
      return answer
    }
    const assertAlike = async () => {
      const lines = ['everything', 'ward', 'hotelier'].map((name) => `${old.tokens[name]} ${own.tokens[name]}`)
      const compared = await run(
        lines.join('\n'),
        {},
        'compare',
        '--a',
        old.url,
        '--b',
        own.url,
        '--rate',
        '1000',
        '--rooms',
      )
      assert.equal(compared.code, 0, compared.stdout)
    }

    before(async () => {
      old = await startAtrium('sqlite')
      own = await startAtrium(engine)
      await inOld('POST /v1/areas/chu-nord-214/')
      await inOld('POST /v1/areas/chu-nord-214/data_services', service('tv', { box: { port: 4 } }))
      await inOld('POST /v1/areas/chu-nord-216/data_services', service('phone'))
      await inOld('POST /v1/areas/lyon-01-2/')
      await inOld('PATCH /v1/facilities/lyon-01/name', { value: 'Bellecour' })
    })
    after(async () => {
      await old?.stop()
      await own?.stop()
    })

    test('copies facilities, rooms and services with their ids and cycles, once', async () => {
      await own.ask('POST /v1/areas/lyon-01-10/', { as: 'everything' })
      const first = await run(token(), settings(), ...args(old.url, '--once'))
      assert.equal(first.code, 0, first.stderr)
      assert.deepEqual(first.stdout.match(/^~ .*$/gm), [
        '~ facility lyon-01  name: "Hôtel Bellecour" -> "Bellecour"',
        '~ room lyon-01-10',
        '~ room lyon-01-2',
        '~ room chu-nord-214',
        '~ room chu-nord-216',
      ])
      assert.match(first.stdout, /^1 round, \d+ requests, 5 differences written$/m)
      await assertAlike()
      const second = await run(token(), settings(), ...args(old.url, '--once'))
      assert.match(second.stdout, /^1 round, \d+ requests, 0 differences written$/m)
    })

    test('follows changes until a signal, and tells partners by events', async () => {
      const { next } = (await own.ask('GET /v1/events', { as: 'everything' })).body
      const following = start(token(), settings(), ...args(old.url, '--interval', '0.1'))
      await until(() => following.said().includes('first round complete'))
      const [tv] = (await inOld('GET /v1/areas/chu-nord-214/data_services')).data_services
      await inOld(`PATCH /v1/areas/chu-nord-214/data_services/${tv.id}`, { label: 'Television', box: null })
      await inOld('POST /v1/areas/chu-nord-214/data_services', service('wifi'))
      await inOld('DELETE /v1/areas/lyon-01-2/')
      await inOld('POST /v1/areas/chu-nord-216/')
      await inOld('PATCH /v1/facilities/lyon-01/name', { value: 'Renamed' })
      const value = [{ id_external: '2', name: 'Two' }]
      await inOld('PATCH /v1/facilities/lyon-01/areas_autocomplete_list', { value })
      const stateOf = async (atrium: TestAtrium) => {
        const paths = ['lyon-01', 'chu-nord/areas', 'lyon-01/areas_autocomplete_list', 'lyon-01/areas']
        const ask = (path: string) => atrium.ask(`GET /v1/facilities/${path}`, { as: 'everything' })
        return (await Promise.all(paths.map(ask))).map(({ text }) =>
          text.replaceAll(/"date_(created|updated)":"[^"]*"/g, ''),
        )
      }
      await until(async () => JSON.stringify(await stateOf(own)) === JSON.stringify(await stateOf(old)))
      following.child.kill('SIGTERM')
      const { code, stdout, stderr } = await following.outcome
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^\d+ rounds?, \d+ requests, \d+ differences written$/m)
      await assertAlike()
      const { data } = (await own.ask(`GET /v1/events?after=${next}`, { as: 'everything' })).body
      const types = new Set(data.map(({ type }: { type: string }) => type))
      for (const type of [
        'service.changed',
        'services.added',
        'area.closed',
        'area.opened',
        'autocomplete_list.replaced',
      ])
        assert.ok(types.has(type), `${type} is not among ${[...types]}`)
    })

    test('after kill -9 the next run completes what is missing', async () => {
      for (const id of ['214', '215', '216']) await inOld(`POST /v1/areas/chu-nord-${id}/`)
      const killed = start(token(), settings(), ...args(old.url))
      await until(() => killed.child.exitCode !== null || killed.said() !== '' || old.log.length > 0)
      killed.child.kill('SIGKILL')
      await killed.outcome
      assert.equal((await run(token(), settings(), ...args(old.url, '--once'))).code, 0)
      await assertAlike()
    })

    test('from an installation without extensions, says what it cannot copy and sends GET only', async () => {
      const plain = await startPlain(oldViews)
      const first = await run('secret-one\nsecret-two\n', settings(), ...args(plain.url, '--once'))
      assert.equal(first.code, 0, first.stderr)
      assert.match(first.stdout, /^\+ facility old-01$/m)
      assert.match(first.stdout, /^~ room old-01-2$/m)
      assert.match(first.stdout, /^ {2}whether rooms are open, which this installation does not show \(2, /m)
      const { body } = await own.ask('GET /v1/areas/old-01-2/data_services', { as: 'everything' })
      assert.deepEqual(body.data_services, [
        { id: 's-1', code: 'tv', label: 'TV', status: 'active', start: null, end: '2098-12-31T23:00:00.000Z', box: 4 },
      ])
      const second = await run('secret-one\nsecret-two\n', settings(), ...args(plain.url, '--once'))
      assert.match(second.stdout, /, 0 differences written$/m)
      plain.close()
      assert.ok(plain.requests.every(({ method }) => method === 'GET'))
    })

    const bad = (id: string, code: unknown) => ({
      id_external: 'odd-1',
      data_services: [{ id, code }],
      data_general: [],
    })
    const view = (areas: unknown): View => ({
      '/v1/facilities/': [{ id: 12, id_external: 'odd', name: 'Odd', status: 'active' }],
      '/v1/facilities/odd/': { id_external: 'odd' },
      '/v1/facilities/odd/areas': areas,
    })
    for (const [what, areas, says] of [
      ['a service without a code', [bad('a', undefined)], /cannot store: "code" is required/],
      ['a service whose id has a slash', [bad('a/b', 'tv')], /their id is missing or cannot stand in a path/],
      ['a service with U+0000', [bad('a', 'tv\0')], /must not contain U\+0000/],
    ] as const) {
      test(`leaves out ${what}, and says so`, async () => {
        const plain = await startPlain({ t: view(areas) })
        const { code, stdout } = await run('t\n', settings(), ...args(plain.url, '--once'))
        plain.close()
        assert.equal(code, 0)
        assert.match(stdout, says)
      })
    }

    test('a refused token ends it; a failing server is tried again', async () => {
      const plain = await startPlain({ t: view([]) }, (_request, response, count) => {
        if (count > 10) return false
        response.writeHead(500).end()
        return true
      })
      const refused = await run('x\n', settings(), ...args(old.url))
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /token 1 is not accepted \(401\)/)
      const patient = start('t\n', settings(), ...args(plain.url, '--interval', '0.1'))
      await until(() => patient.said().includes('first round complete'))
      patient.child.kill('SIGINT')
      const { code, stderr } = await patient.outcome
      assert.equal(code, 0)
      assert.match(stderr, /GET \/v1\/facilities\/: status 500/)
      plain.close()
    })
  })
}
