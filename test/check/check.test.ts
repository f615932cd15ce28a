import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { before, test } from 'node:test'
import { checkInstallation, type Report } from '../../src/check/check.ts'
import { onEachEngine, startAtrium } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { estate } from '../harness/estate.ts'
import { startFaultyServer } from './faulty-server.ts'
import { wrongServers } from './wrong-servers.ts'

const room = 'chu-nord-215'
const facilities = estate.facilities.map((facility) =>
  facility.id_external === 'chu-nord'
    ? { ...facility, ssid_public: 'Guest', areas_autocomplete_list: [{ id: '214', name: 'Room 214' }] }
    : facility,
)
const furnished = { ...estate, facilities }
const withVerdict = ({ results }: Report, wanted: string) =>
  results
    .filter(({ verdict }) => verdict === wanted)
    .map(({ section, rule, detail }) => `${section} ${rule}: ${detail}`)

onEachEngine('atrium check', { estate: furnished }, (atrium) => {
  const token = () => atrium().tokens.everything ?? ''
  const path = `/v1/areas/${room}/`
  const stateOf = async () => (await atrium().ask('GET /v1/facilities/chu-nord/areas', { as: 'everything' })).body
  before(async () => {
    await atrium().ask(`POST /v1/areas/chu-nord-214/`, { as: 'everything' })
    const body = { value: JSON.stringify([{ code: 'tv', end: '2099-01-01' }]) }
    await atrium().ask('POST /v1/areas/chu-nord-214/data_services', { as: 'everything', body })
  })

  test('finds every rule kept, and restores the state', async () => {
    const before = await stateOf()
    const report = await checkInstallation({ baseUrl: atrium().url, token: token(), room })
    assert.deepEqual(withVerdict(report, 'broken'), [])
    assert.deepEqual(withVerdict(report, 'skipped'), [
      '4.6 PATCH subscription_url takes {"value"} and returns the property: subscription_url cannot be read, so it could not be put back',
    ])
    assert.ok(report.results.length >= 30, `${report.results.length} rules`)
    const after = await stateOf()
    const states = [before, after].map((all) => all.map((area: { opened_at: unknown }) => area.opened_at === null))
    assert.deepEqual(states[0], states[1])
    assert.deepEqual(after[0], before[0])
  })

  test('leaves a room alone that is open or holds services, and what it has', async () => {
    await atrium().ask(`POST ${path}`, { as: 'everything' })
    const before = await stateOf()
    for (const [named, why] of [
      [room, /is open: name a closed, empty room, or add --force/],
      ['chu-nord-214', /holds services: name a closed/],
    ] as const) {
      const report = await checkInstallation({ baseUrl: atrium().url, token: token(), room: named })
      assert.deepEqual(withVerdict(report, 'broken'), [])
      assert.match(withVerdict(report, 'skipped').join(), why)
      assert.deepEqual(
        report.changes.filter((change) => change.includes(named)),
        [],
      )
    }
    assert.deepEqual(await stateOf(), before)
    await atrium().ask(`DELETE ${path}`, { as: 'everything' })
  })

  test('ends the stay in an open room only with --force, and reports it; earlier services stay', async () => {
    const { cycle } = (await atrium().ask(`POST ${path}`, { as: 'everything' })).body.area
    const open = await checkInstallation({ baseUrl: atrium().url, token: token(), room, force: true })
    assert.deepEqual(withVerdict(open, 'broken'), [])
    assert.deepEqual(open.changes.slice(-2), [
      `${room} was opened again with a new cycle; the stay that it had has ended`,
      'events of all this were sent to the partners that follow chu-nord',
    ])
    const after = (await atrium().ask(`GET ${path}`, { as: 'everything' })).body
    assert.ok(after.cycle !== null && after.cycle !== cycle)
    const before = (await stateOf())[0].data_services
    const held = await checkInstallation({ baseUrl: atrium().url, token: token(), room: 'chu-nord-214', force: true })
    assert.deepEqual(withVerdict(held, 'broken'), [])
    assert.match(withVerdict(held, 'skipped').join(), /holds services/)
    assert.deepEqual((await stateOf())[0].data_services, before)
    await atrium().ask(`DELETE ${path}`, { as: 'everything' })
  })

  test('never reaches a stay that begins while it is running', async () => {
    let begun: string | undefined
    const meddler = await startFaultyServer(atrium().url, async (asked, askRight) => {
      if (begun === undefined && asked.method === 'DELETE' && asked.path.endsWith('/')) {
        begun = (await atrium().ask(`POST ${path}`, { as: 'everything' })).body.area.cycle
      }
      return askRight(asked)
    })
    const report = await checkInstallation({ baseUrl: meddler.url, token: token(), room })
    meddler.close()
    assert.match(withVerdict(report, 'broken').join(), /4\.9 Closing a room.*412/)
    assert.equal((await atrium().ask(`GET ${path}`, { as: 'everything' })).body.cycle, begun)
    await atrium().ask(`DELETE ${path}`, { as: 'everything' })
  })

  test('skips what is not granted', async () => {
    const report = await checkInstallation({ baseUrl: atrium().url, token: atrium().tokens.bare ?? '' })
    assert.deepEqual(withVerdict(report, 'broken'), [])
    assert.ok(withVerdict(report, 'skipped').length >= 5)
  })

  test('prints a report for people, scripts and build servers', async () => {
    const args = ['check', '--base-url', `${atrium().url}/v1/`, '--token', token(), '--room', room]
    const people = await command({}, ...args)
    assert.equal(people.code, 0, people.stdout)
    assert.match(people.stdout, /^kept +§4\.1 +The list of facilities is an array$/m)
    assert.match(people.stdout, /^\d+ requests, \d+ rules: 0 broken, 1 skipped\.$/m)
    assert.match(people.stdout, /^Changes that were made:\n {2}name of chu-nord was written with the value it had$/m)
    const { ok, results } = JSON.parse((await command({}, ...args, '--json')).stdout)
    assert.deepEqual([ok, results[0].verdict], [true, 'kept'])
    const xml = (await command({}, ...args, '--junit')).stdout
    assert.match(xml, /<testsuite name="atrium check" tests="\d+" failures="0" skipped="1">/)
  })

  test('reports an invalid URL and a server that does not respond', async () => {
    const used = await command({}, 'check', '--base-url', 'atrium', '--token', 'x')
    assert.deepEqual([used.code, used.stdout], [2, ''])
    assert.match(used.stderr, /must be a URL such as https/)
    const stranger = createServer().listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    stranger.close()
    const away = await command({}, 'check', '--base-url', `http://127.0.0.1:${port}`, '--token', 'x')
    assert.deepEqual([away.code, away.stdout], [1, ''])
    assert.match(away.stderr, /^atrium: Cannot reach .*ECONNREFUSED.*check --base-url\n$/)
  })
})

test(`catches each of ${wrongServers.length} wrong servers by the rule it breaks`, async (t) => {
  const atrium = await startAtrium('sqlite', { estate: furnished })
  try {
    await atrium.ask('POST /v1/areas/chu-nord-214/', { as: 'everything' })
    const body = { value: JSON.stringify([{ code: 'tv', end: '2099-01-01' }]) }
    await atrium.ask('POST /v1/areas/chu-nord-214/data_services', { as: 'everything', body })
    for (const { name, section, rule, crook } of wrongServers) {
      const crooked = await startFaultyServer(atrium.url, crook)
      const asked = { baseUrl: crooked.url, token: atrium.tokens.everything ?? '', facility: 'chu-nord', room }
      const broken = (await checkInstallation(asked)).results.filter(({ verdict }) => verdict === 'broken')
      crooked.close()
      const caught = broken.find((one) => one.section === section && rule.test(one.rule))
      assert.ok(caught, `${name}: ${JSON.stringify(broken)}`)
      t.diagnostic(`${name}: §${section} ${caught.rule}: ${caught.detail}`)
      // Restores the state for the next faulty server.
      await atrium.ask(`DELETE /v1/areas/${room}/`, { as: 'everything' })
    }
  } finally {
    await atrium.stop()
  }
})
