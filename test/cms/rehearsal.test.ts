import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

const name = '/v1/facilities/{facilityExternalId}/name'
const room = '/v1/areas/{areaExternalId}/'
const now = new Date().toISOString()

type Row = [method: string, route: string | null, facility: string | null, area: string | null, at: string]

const logged: Row[] = [
  ['PATCH', name, 'lyon-01', null, now],
  ['PATCH', name, 'lyon-01', null, now],
  ['POST', room, 'nice-02', 'nice-02-A-1', now],
  ['GET', '/v1/facilities/{facilityExternalId}/areas_autocomplete_list', 'lyon-01', null, now],
  ['GET', '/v1/me', null, null, now],
  ['GET', '/v1/webhooks', null, null, now],
  ['PATCH', name, null, null, now],
  ['GET', null, null, null, now],
  ['PATCH', name, 'lyon-01', null, '2020-01-01T00:00:00.000Z'],
]

onEachEngine('a rehearsal of grants', {}, (atrium) => {
  let key = ''
  before(async () => {
    key = (await addOperator(atrium(), 'admin')).key
    // In the notation of the log: with the router's pattern.
    const rows = logged.map(([method, documented, facility, area, at]) => ({
      route: documented?.replace(/\{(\w+)\}/g, ':$1') ?? null,
      ...{ at, partner: 'hotelier', token: null, method, facility, area, status: 200, code: null },
      ...{ detail: null, duration_us: 1, request_id: 'x', address: null },
    }))
    await atrium().service.db.write((tx) => tx.query.insertInto('request_log').values(rows).execute())
  })
  const rehearse = async (body: unknown, partner = 'hotelier') =>
    (await atrium().ask(`POST /cms/v1/partners/${partner}/rehearsal`, { as: key, body })).body

  test('changed decisions are listed in both directions', async () => {
    const grants = [{ facilities: ['lyon-01'], read: ['areas_autocomplete_list'], write: [], rooms: [] }]
    const { from, ...outcome } = await rehearse({ grants })
    assert.ok(Date.parse(from) < Date.now() - 6 * 86_400_000)
    const list = '/v1/facilities/{facilityExternalId}/areas_autocomplete_list'
    const lyon = { facility: 'lyon-01', area: null, last_at: now, code: 'not_granted' }
    const flat = { facility: 'nice-02', area: 'nice-02-A-1', last_at: now, code: 'area_not_found' }
    assert.deepEqual(outcome, {
      checked: 6,
      not_checked: 2,
      turns_refused: [
        { method: 'PATCH', route: name, count: 2, ...lyon },
        { method: 'POST', route: room, count: 1, ...flat },
      ],
      turns_allowed: [{ method: 'GET', route: list, count: 1, ...lyon }],
    })
  })

  test('the current grants change no decision', async () => {
    const { grants } = (await atrium().ask('GET /cms/v1/partners/hotelier', { as: key })).body
    const { turns_refused, turns_allowed } = await rehearse({ grants, days: 1 })
    assert.deepEqual([turns_refused, turns_allowed], [[], []])
  })

  test('the permission to manage webhooks is part of the dry run', async () => {
    const { grants } = (await atrium().ask('GET /cms/v1/partners/hotelier', { as: key })).body
    const call = { method: 'GET', route: '/v1/webhooks', facility: null, area: null, count: 1, last_at: now }
    const { turns_allowed } = await rehearse({ grants, webhooks: true })
    assert.deepEqual(turns_allowed, [{ ...call, code: 'not_granted' }])
    await atrium().ask('PATCH /cms/v1/partners/hotelier', { as: key, body: { webhooks: true } })
    assert.deepEqual((await rehearse({ grants })).turns_refused, [])
    assert.deepEqual((await rehearse({ grants, webhooks: false })).turns_refused, [{ ...call, code: 'not_granted' }])
  })

  test('invalid requests are refused', async () => {
    assert.equal((await rehearse({ grants: [] }, 'none')).code, 'partner_not_found')
    assert.equal((await rehearse({ grants: [], days: 91 })).errors[0].pointer, '/days')
    assert.equal((await rehearse({ grants: [{ facilities: '*', read: ['x'] }] })).errors[0].pointer, '/grants/0/read/0')
  })
})
