import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { idsInRange } from '../../src/domain/room/area-range.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

describe('a range of short ids', () => {
  const rows: [string, string[] | string][] = [
    ['101-104', ['101', '102', '103', '104']],
    ['A08-A11', ['A08', 'A09', 'A10', 'A11']],
    ['A-08..11', ['A-08', 'A-09', 'A-10', 'A-11']],
    [' 9 – 10 ', ['9', '10']],
    ['7-7', ['7']],
    ['10-9', 'range_invalid'],
    ['A1-B3', 'range_invalid'],
    ['1-5001', 'range_invalid'],
    ['rooms', 'range_invalid'],
  ]
  for (const [range, expected] of rows) {
    test(range, () => {
      if (typeof expected === 'string') assert.throws(() => idsInRange(range), { code: expected })
      else assert.deepEqual(idsInRange(range), expected)
    })
  }
})

onEachEngine('areas in the CMS', {}, (atrium) => {
  const keys: Record<string, string> = {}
  before(async () => {
    for (const role of ['viewer', 'editor'] as const) keys[role] = (await addOperator(atrium(), role)).key
  })
  const ask = (request: string, body?: unknown, as = 'editor', headers: Record<string, string> = {}) =>
    atrium().ask(request, { as: keys[as], headers, ...(body !== undefined && { body }) })
  const areas = '/cms/v1/facilities/lyon-01/areas'
  const ids = async (query: string) => (await ask(`GET ${areas}?${query}`)).body.map(({ id }: { id: string }) => id)

  test('a range is added and visible to partners at once, or not at all if one area exists', async () => {
    assert.deepEqual((await ask(`POST ${areas}`, { range: '301-303', name: 'Chambre {id}' })).body, {
      created: 3,
      skipped: 0,
    })
    const { body } = await atrium().ask('GET /v1/areas/lyon-01-302', { as: 'everything' })
    assert.equal(body.name, 'Chambre 302')
    const again = await ask(`POST ${areas}`, { range: '303-305' })
    assert.deepEqual([again.status, again.body.code], [409, 'area_exists'])
    assert.deepEqual(await ids('q=304'), [])
  })

  test('with skip_existing, only the missing areas of a range are added', async () => {
    const rest = { range: '302-305', name: 'Suite {id}', skip_existing: true }
    assert.deepEqual((await ask(`POST ${areas}`, rest)).body, { created: 2, skipped: 2 })
    assert.deepEqual((await ask(`POST ${areas}`, rest)).body, { created: 0, skipped: 4 })
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-302')).body.name, 'Chambre 302')
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-305')).body.name, 'Suite 305')
  })

  test('areas are paged, searched and filtered by open rooms', async () => {
    assert.deepEqual(await ids('limit=2'), ['2', '10'])
    const { headers } = await ask(`GET ${areas}?limit=2`)
    const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    assert.deepEqual((await ask(`GET ${next}`)).body[0].id, '101')
    const found = await ask(`GET ${areas}?q=room&limit=1`)
    const nextFound = /<([^>]+)>/.exec(found.headers.get('link') ?? '')?.[1] ?? ''
    const second = await ask(`GET ${nextFound}`)
    assert.deepEqual([found.body[0].id, second.body[0].id], ['2', '10'])
    assert.equal(second.headers.get('x-total-count'), found.headers.get('x-total-count'))
    assert.deepEqual(await ids('q=etoile'), ['101'])
    await ask('POST /cms/v1/areas/lyon-01-10/open')
    assert.deepEqual(await ids('open=true'), ['10'])
  })

  test('many areas are changed at once, or none', async () => {
    const changed = await ask(`PATCH ${areas}`, { areas: [{ id: '2', name: 'Two' }, { id: '10' }] })
    assert.deepEqual(changed.body, { updated: 1, unchanged: 1 })
    const unknown = await ask(`PATCH ${areas}`, {
      areas: [
        { id: '2', name: 'X' },
        { id: 'none', name: 'Y' },
      ],
    })
    assert.equal(unknown.body.code, 'area_not_found')
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-2')).body.name, 'Two')
  })

  test('a dry run shows what a removal would lose', async () => {
    await ask(`POST ${areas}`, { areas: [{ id: 'x1', name: 'X' }] })
    await ask('POST /cms/v1/areas/lyon-01-x1/open')
    const lost = { areas: 1, open_rooms: 1, subscriptions: 0 }
    assert.deepEqual((await ask(`DELETE ${areas}?dry_run=true`, { ids: ['x1', 'x2'] })).body, { removed: 1, lost })
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-x1')).status, 200)
    assert.deepEqual((await ask(`DELETE ${areas}`, { ids: ['x1'] })).body, { removed: 1, lost })
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-x1')).body.code, 'area_not_found')
  })

  test('a room is opened, gets services, and loses them when it is closed', async () => {
    const room = '/cms/v1/areas/chu-nord-214'
    const opened = await ask(`POST ${room}/open`)
    assert.ok(opened.body.cycle)
    const services = [
      { code: 'tv', label: 'secret' },
      { code: 'phone', end: '2020-01-01' },
    ]
    const added = await ask(`POST ${room}/services`, { services })
    assert.deepEqual([added.body.services_count, added.body.services_valid], [2, 1])
    const seen = await ask(`GET ${room}`, undefined, 'viewer')
    assert.ok(!seen.text.includes('secret'), 'not for those who only look')
    const [tv] = added.body.services
    assert.equal((await ask(`DELETE ${room}/services/${tv.id}`)).body.services_count, 1)
    assert.equal((await ask(`POST ${room}/services`, { services: [{}] })).body.errors[0].pointer, '/services/0/code')
    const unsupported = await ask('POST /cms/v1/areas/lyon-01-2/services', { services })
    assert.equal(unsupported.body.code, 'room_services_unsupported')
    assert.equal((await ask(`POST ${room}/close`)).body.services_count, 0)
    const { body } = await atrium().ask('GET /v1/areas/chu-nord-214', { as: 'everything' })
    assert.deepEqual([body.cycle, body.data_services], [null, []])
  })

  test('a service is changed, as it is seen by partners and in the audit log', async () => {
    const room = '/cms/v1/areas/chu-nord-214'
    await ask(`POST ${room}/open`)
    const [tv] = (await ask(`POST ${room}/services`, { services: [{ code: 'tv', channels: 120 }] })).body.services
    const changed = await ask(`PATCH ${room}/services/${tv.id}`, { end: '2099-11-24', status: 'extended' })
    const after = { ...tv, end: '2099-11-24T23:00:00.000Z', status: 'extended' }
    assert.deepEqual(changed.body.services, [after])
    const { body } = await atrium().ask('GET /v1/areas/chu-nord-214/data_services', { as: 'ward' })
    assert.deepEqual(body.data_services, [after])
    const entries = (await ask('GET /cms/v1/audit?subject=chu-nord-214&action=services.change')).body
    assert.deepEqual(entries[0].detail.changed, [{ id: tv.id, code: 'tv', keys: ['status', 'end'] }])
    await ask(`PATCH ${room}/services/${tv.id}`, {})
    assert.equal(
      (await ask('GET /cms/v1/audit?subject=chu-nord-214&action=services.change')).body.length,
      entries.length,
    )
    const refused: [path: string, patch: unknown, code: string][] = [
      [tv.id, { code: 'phone' }, 'item_invalid'],
      [tv.id, { end: 'soon' }, 'item_invalid'],
      [tv.id, [], 'body_invalid'],
      ['none', { end: null }, 'service_not_found'],
    ]
    for (const [id, patch, code] of refused) {
      assert.equal((await ask(`PATCH ${room}/services/${id}`, patch)).body.code, code, JSON.stringify(patch))
    }
    await ask(`POST ${room}/close`)
    assert.equal((await ask(`PATCH ${room}/services/${tv.id}`, { end: null })).body.code, 'service_not_found')
  })

  test('with Atrium-Cycle, a room is changed only for the guest whom the operator saw', async () => {
    const room = '/cms/v1/areas/chu-nord-216'
    const send = async (step: string, cycle: string) => {
      const body = step === 'services' ? { services: [{ code: 'tv' }] } : undefined
      const { status, body: answer } = await ask(`POST ${room}/${step}`, body, 'editor', { 'atrium-cycle': cycle })
      return status === 200 ? status : [status, answer.code]
    }
    const current = async () => (await ask(`GET ${room}`)).body.cycle
    assert.equal(await send('services', 'none'), 200)
    assert.equal(await send('open', 'none'), 200)
    const earlier = await current()
    assert.equal(await send('open', earlier.toUpperCase()), 200)
    const cycle = await current()
    for (const step of ['open', 'close', 'services']) {
      assert.deepEqual(await send(step, earlier), [412, 'cycle_ended'], step)
      assert.deepEqual(await send(step, 'none'), [409, 'room_occupied'], step)
      assert.deepEqual(await send(step, 'tomorrow'), [400, 'header_invalid'], step)
    }
    assert.deepEqual([await current(), (await ask(`GET ${room}`)).body.services], [cycle, []])
    assert.equal(await send('services', cycle), 200)
    assert.equal(await send('close', cycle), 200)
    assert.deepEqual(await send('services', cycle), [412, 'cycle_ended'])
    assert.equal(await send('close', 'none'), 200)
  })

  test('many rooms are closed, each for itself, and not those with another guest', async () => {
    await ask(`POST ${areas}`, { range: '501-503' })
    const open = async (id: string) => (await ask(`POST /cms/v1/areas/lyon-01-${id}/open`)).body.cycle
    const [first, second] = [await open('501'), await open('502')]
    const third = await open('502')
    const { status, body } = await ask(`POST ${areas}/close`, {
      areas: [{ id: '501', cycle: first }, { id: '502', cycle: second }, { id: '503' }, { id: 'none' }],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      body.results.map(({ id, status, problem }: { id: string; status: number; problem?: { code: string } }) => [
        id,
        status,
        problem?.code,
      ]),
      [
        ['501', 200, undefined],
        ['502', 412, 'cycle_ended'],
        ['503', 200, undefined],
        ['none', 404, 'area_not_found'],
      ],
    )
    const cycle = async (id: string) => (await ask(`GET /cms/v1/areas/lyon-01-${id}`)).body.cycle
    assert.deepEqual([await cycle('501'), await cycle('502')], [null, third])
    assert.equal((await ask('GET /cms/v1/audit?subject=lyon-01-501&action=room.close')).body.length, 1)
    assert.equal((await ask('POST /cms/v1/facilities/none/areas/close', { areas: [] })).body.code, 'facility_not_found')
  })

  test('a guest is moved with the services, and never to a room with another guest', async () => {
    const room = (id: string) => `/cms/v1/areas/chu-nord-${id}`
    const { cycle, opened_at: openedAt } = (await ask(`POST ${room('214')}/open`)).body
    const { services } = (await ask(`POST ${room('214')}/services`, { services: [{ code: 'tv' }] })).body
    await ask(`POST ${room('216')}/open`)
    const refused: [body: object, code: string][] = [
      [{ to: 'chu-nord-216' }, 'room_occupied'],
      [{ to: 'chu-nord-215', cycle: '01939c7e-5f2a-7b3c-9d4e-8f6a1b2c3d4e' }, 'cycle_ended'],
      [{ to: 'lyon-01-2' }, 'area_not_found'],
      [{}, 'body_invalid'],
    ]
    for (const [body, code] of refused) {
      assert.equal((await ask(`POST ${room('214')}/move`, body)).body.code, code, JSON.stringify(body))
    }
    const { body } = await ask(`POST ${room('214')}/move`, { to: 'chu-nord-215', cycle })
    assert.deepEqual([body.id, body.cycle, body.opened_at, body.services], ['215', cycle, openedAt, services])
    const left = (await ask(`GET ${room('214')}`)).body
    assert.deepEqual([left.cycle, left.services], [null, []])
    assert.equal((await ask(`POST ${room('214')}/move`, { to: 'chu-nord-215' })).body.code, 'room_not_open')
    assert.equal((await ask('GET /cms/v1/audit?subject=chu-nord-214&action=room.move')).body.length, 1)
  })
})
