import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

// biome-ignore lint/suspicious/noExplicitAny: figures of every kind
type Figure = any

onEachEngine('the figures of the dashboard', {}, (atrium) => {
  const keys: Record<string, string> = {}
  before(async () => {
    for (const role of ['viewer', 'editor', 'admin'] as const) keys[role] = (await addOperator(atrium(), role)).key
  })
  const ask = (request: string, body?: unknown, role = 'admin') =>
    atrium().ask(request, { as: keys[role], ...(body !== undefined && { body }) })

  /** Figures are aggregated with a second's delay, and cached for a second. */
  async function figures(isThere: (found: Figure) => boolean, role = 'admin'): Promise<Figure> {
    for (;;) {
      const { body } = await ask('GET /cms/v1/figures', undefined, role)
      if (isThere(body)) return body
      await sleep(50)
    }
  }

  test('requests are counted by partner and status, with latency and reasons of refusals', async () => {
    for (let count = 0; count < 3; count++) await atrium().ask('GET /v1/me', { as: 'hotelier' })
    const rename = { as: 'bare', body: { value: 'X' } }
    for (let count = 0; count < 2; count++) await atrium().ask('PATCH /v1/facilities/lyon-01/name', rename)
    const sum = (found: Figure, partner: string, status: number) =>
      found.requests
        .filter((one: Figure) => one.partner === partner && one.status === status)
        .reduce((total: number, one: Figure) => total + one.count, 0)
    const found = await figures((all) => sum(all, 'hotelier', 200) === 3 && sum(all, 'bare', 403) === 2)
    assert.ok(found.latency.every((one: Figure) => one.mean_ms >= 0 && one.slowest_ms >= one.mean_ms))
    assert.deepEqual(found.refused, [{ partner: 'bare', code: 'not_granted', count: 2 }])
  })

  test('open rooms and services that end soon are named, services to editors only', async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString()
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString()
    await atrium().ask('POST /v1/areas/chu-nord-214/', { as: 'ward' })
    const services = [
      { code: 'tv', end },
      { code: 'wifi', end: later },
    ]
    const body = { value: JSON.stringify(services) }
    await atrium().ask('POST /v1/areas/chu-nord-214/data_services', { as: 'ward', body })
    const found = await figures((all) => all.ending_soon.length > 0, 'editor')
    assert.deepEqual(found.ending_soon, [{ facility: 'chu-nord', area: 'chu-nord-214', code: 'tv', end }])
    const { open, areas } = found.open_rooms.find((one: Figure) => one.facility === 'chu-nord')
    assert.ok(open >= 1 && areas >= open)
    assert.equal((await figures(() => true, 'viewer')).ending_soon, undefined)
  })

  test('notices are listed, those about tokens to admins only', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    await ask('POST /cms/v1/partners/hotelier/tokens', { name: 'short', expires_at })
    await ask('PATCH /cms/v1/settings', { many_refused: 2 })
    await ask('PUT /cms/v1/facilities/lyon-01/list', { entries: [{ id: 'gone', name: 'Gone' }] })
    const kindsIn = (all: Figure) => all.attention.map((one: Figure) => `${one.kind} ${one.subject}`)
    const wanted = ['token_expiring hotelier', 'many_refused bare', 'list_drift lyon-01']
    const found = await figures((all) => wanted.every((one) => kindsIn(all).includes(one)))
    const ending = found.attention.find((one: Figure) => one.kind === 'token_expiring')
    assert.deepEqual(
      [ending.name, ending.token, ending.at, ending.link],
      ['Hotel PMS', 'short', expires_at, '/console/partners/hotelier?tab=tokens'],
    )
    const drifted = found.attention.find((one: Figure) => one.kind === 'list_drift')
    assert.equal(drifted.name, 'Hôtel Bellecour')
    assert.ok(drifted.count > 0 && drifted.link === '/console/facilities/lyon-01?tab=list')
    const seen = kindsIn(await figures(() => true, 'viewer'))
    assert.ok(seen.includes('many_refused bare') && !seen.some((one: string) => one.startsWith('token')))
    assert.equal((await ask('GET /cms/v1/figures?minutes=0')).body.code, 'parameter_invalid')
  })
})
