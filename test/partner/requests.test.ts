import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken, revokeToken } from '../../src/operations/access/token.ts'
import { type Answered, onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { playground } from '../sandbox/fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: logged requests of any kind
type Logged = any

onEachEngine('GET /v1/requests', {}, (atrium) => {
  /** The log is written with a delay of a second. */
  async function logged(as: string, query: string, count = 1): Promise<Logged[]> {
    for (let tries = 0; tries < 200; tries++) {
      const { status, body, text } = await atrium().ask(`GET /v1/requests?${query}`, { as })
      assert.equal(status, 200, text)
      if (body.length >= count) return body
      await sleep(50)
    }
    throw new Error(`the log does not show ${query}`)
  }
  const one = async (as: string, id: string) => (await logged(as, `request_id=${id}`))[0]
  const send = (as: string, id: string, request: string, body?: unknown) =>
    atrium().ask(request, { as, headers: { 'x-request-id': id }, ...(body !== undefined && { body }) })
  const started = new Date().toISOString()

  before(async () => {
    await send('ward', 'own-1', 'POST /v1/areas/chu-nord-214/')
    await send('ward', 'own-2', 'GET /v1/facilities/chu-nord/?x=canary')
    await send('ward', 'own-3', 'POST /v1/areas/chu-nord-214/data_services', { value: '[{"canary":1}]' })
    await send('ward', 'own-4', 'GET /v1/facilities/chu-nord/areas_autocomplete_list')
    await send('hotelier', 'other-1', 'GET /v1/me')
    await one('ward', 'own-4')
    await one('hotelier', 'other-1')
  })

  test('has the first failure of a call on many rooms, and finds the call by its code', async () => {
    const operations = [
      { op: 'open', area: 'chu-nord-214' },
      { op: 'open', area: 'chu-nord-999' },
      { op: 'paint', area: 'chu-nord-215' },
    ]
    const body = { mode: 'each', operations }
    assert.equal((await send('ward', 'many-1', 'POST /v1/facilities/chu-nord/areas/bulk', body)).status, 200)
    const { status, code } = await one('ward', 'many-1')
    assert.deepEqual([status, code], [200, 'area_not_found'])
    const found = await logged('ward', 'code=area_not_found')
    assert.ok(found.some(({ request_id }) => request_id === 'many-1'))
  })

  test('shows what the partner sent, newest first, and nothing of a body or query', async () => {
    const own = (await logged('ward', 'limit=100')).filter(({ request_id }) => request_id.startsWith('own-'))
    const { at, duration_ms, ...first } = own.at(-1)
    assert.deepEqual(first, {
      method: 'POST',
      route: '/v1/areas/{areaExternalId}',
      facility: 'chu-nord',
      area: 'chu-nord-214',
      status: 200,
      code: null,
      request_id: 'own-1',
      token: 'test',
    })
    assert.ok(at >= started && duration_ms > 0)
    assert.deepEqual(
      own.map(({ request_id, status, code }) => [request_id, status, code]),
      [
        ['own-4', 403, 'not_granted'],
        ['own-3', 400, 'item_invalid'],
        ['own-2', 400, 'parameter_unknown'],
        ['own-1', 200, null],
      ],
    )
    const { text } = await atrium().ask('GET /v1/requests', { as: 'ward' })
    assert.doesNotMatch(text, /canary|other-1|127\.0\.0\.1|atr_/)
  })

  const ids = async (query: string) => (await logged('ward', query)).map(({ request_id }) => request_id)
  test('filters combine', async () => {
    assert.deepEqual(await ids('code=not_granted'), ['own-4'])
    assert.deepEqual(await ids('status=400'), ['own-3', 'own-2'])
    assert.deepEqual(await ids('status=4xx'), ['own-4', 'own-3', 'own-2'])
    assert.deepEqual(await ids('status=4xx&code=item_invalid'), ['own-3'])
    const [, second] = await logged('ward', 'status=4xx', 3)
    const until = new Date(Date.parse(second.at) + 1).toISOString()
    assert.ok((await ids(`status=4xx&since=${second.at}&until=${until}`)).includes('own-3'))
    const nothing = ['status=5xx', 'since=2999-01-01', 'until=2020-01-01', 'request_id=other-1', 'code=cycle_ended']
    for (const query of nothing) {
      assert.deepEqual((await atrium().ask(`GET /v1/requests?${query}`, { as: 'ward' })).body, [], query)
    }
  })

  for (const query of [
    ...['status=9xx', 'status=ok', 'code=no_such_code', 'code=', 'since=yesterday', 'until=', 'request_id=a%20b'],
    ...['cursor=x', 'cursor=AAAAAAAAAAAAAAAAAAAAAA', 'limit=0'],
  ]) {
    test(`?${query} is refused`, async () => {
      assertProblem(await atrium().ask(`GET /v1/requests?${query}`, { as: 'ward' }), 400, 'parameter_invalid')
    })
  }
  test('an unknown parameter is refused', async () => {
    assertProblem(await atrium().ask('GET /v1/requests?partner=ward', { as: 'ward' }), 400, 'parameter_unknown')
  })

  const nextOf = ({ headers }: Answered) => /cursor=([\w-]+)/.exec(headers.get('link') ?? '')?.[1]
  test('pages follow one another, and a cursor belongs to its filters and its partner', async () => {
    const found: string[] = []
    let cursor = ''
    for (let more = ''; ; more = `&cursor=${cursor}`) {
      const answer = await atrium().ask(`GET /v1/requests?status=4xx&limit=1${more}`, { as: 'ward' })
      assert.equal(answer.status, 200, answer.text)
      found.push(...answer.body.map(({ request_id }: Logged) => request_id))
      const next = nextOf(answer)
      if (next === undefined) break
      cursor = next
    }
    assert.deepEqual(found.slice(-3), ['own-4', 'own-3', 'own-2'])
    assert.match(cursor, /^[\w-]{22}$/)
    const place = Buffer.from(cursor, 'base64url').toString('latin1')
    assert.doesNotMatch(place, /\d{4}-\d\d-/, 'the cursor does not show its place in the log of all partners')
    for (const [as, query] of [
      ['ward', 'limit=1'],
      ['ward', 'status=403'],
      ['hotelier', 'status=4xx'],
    ]) {
      const answer = await atrium().ask(`GET /v1/requests?${query}&cursor=${cursor}`, { as })
      assertProblem(answer, 400, 'parameter_invalid')
    }
  })

  test('names the token, also after it was revoked', async () => {
    const { db } = atrium().service
    const made = await createToken(db, { partner: 'ward', name: 'night', expiresAt: null, allowedRanges: [] })
    assert.ok(made)
    await send(made.secret, 'by-night', 'GET /v1/me')
    await revokeToken(db, made.token.id)
    assert.equal((await one('ward', 'by-night')).token, 'night')
  })

  /** A partner must not learn from its log whether what it cannot see exists. */
  const pairs: [what: string, hidden: string, absent: string][] = [
    ['a facility', '/v1/facilities/lyon-01/', '/v1/facilities/nowhere/'],
    ['a room', '/v1/areas/lyon-01-101/', '/v1/areas/nowhere-101/'],
    ['the services of a room', '/v1/areas/lyon-01-101/data_services', '/v1/areas/nowhere-101/data_services'],
  ]
  for (const [what, hidden, absent] of pairs) {
    test(`${what} that is hidden is logged like one that does not exist`, async () => {
      const shown: string[] = []
      for (const [id, path] of [
        [`h-${what.replaceAll(' ', '-')}`, hidden],
        [`a-${what.replaceAll(' ', '-')}`, absent],
      ] as const) {
        await send('ward', id, `GET ${path}`)
        const { at: _, duration_ms: __, request_id: ___, ...rest } = await one('ward', id)
        shown.push(JSON.stringify(rest).replaceAll('nowhere', 'lyon-01'))
      }
      assert.equal(shown[0], shown[1])
    })
  }

  test('a sandbox has a log of its own', async () => {
    const play = await playground(atrium(), 'ward', ['chu-nord'])
    await send(play.token, 'in-sandbox', `GET /v1/facilities/${play.copy('chu-nord')}/`)
    const { facility, token } = await one(play.token, 'in-sandbox')
    assert.deepEqual([facility, token], [play.copy('chu-nord'), 'try'])
    assert.deepEqual((await atrium().ask('GET /v1/requests?request_id=in-sandbox', { as: 'ward' })).body, [])
    assert.deepEqual((await atrium().ask('GET /v1/requests?request_id=own-1', { as: play.token })).body, [])
  })

  test('ends after seven days, however long the operator keeps the log', async () => {
    await atrium().service.db.write(async (tx) => {
      for (const [days, id] of [
        [6.9, 'young'],
        [7.1, 'old'],
      ] as const) {
        const at = new Date(Date.now() - days * 86_400_000).toISOString()
        const row = { method: 'GET', route: '/v1/me', status: 200, duration_us: 5, request_id: id }
        await tx.query
          .insertInto('request_log')
          .values({
            ...row,
            at,
            partner: 'ward',
            token: null,
            facility: null,
            area: null,
            code: null,
            detail: null,
            address: null,
          })
          .execute()
      }
    })
    assert.equal((await one('ward', 'young')).token, null)
    for (const query of ['request_id=old', 'since=2020-01-01&request_id=old']) {
      assert.deepEqual((await atrium().ask(`GET /v1/requests?${query}`, { as: 'ward' })).body, [])
    }
  })

  test('a facility that the partner can no longer see is left out', async () => {
    await atrium().service.db.write(async (tx) => {
      const row = { method: 'GET', route: '/v1/areas/:areaExternalId', status: 429, duration_us: 5 }
      const at = new Date().toISOString()
      const more = { at, partner: 'ward', token: null, code: 'rate_limited', detail: null, address: null }
      await tx.query
        .insertInto('request_log')
        .values({ ...row, ...more, facility: 'lyon-01', area: 'lyon-01-101', request_id: 'limited' })
        .execute()
    })
    const { facility, area } = await one('ward', 'limited')
    assert.deepEqual([facility, area], [null, null])
  })
})
