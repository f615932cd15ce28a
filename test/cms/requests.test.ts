import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { pruneRequestLog } from '../../src/operations/background/prune-request-log.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

// biome-ignore lint/suspicious/noExplicitAny: logged requests of any kind
type Logged = any

onEachEngine('the request log', {}, (atrium) => {
  let admin = ''
  before(async () => {
    admin = (await addOperator(atrium(), 'admin')).key
  })
  const ask = (request: string, body?: unknown) =>
    atrium().ask(request, { as: admin, ...(body !== undefined && { body }) })

  /** The log is written with a delay of a second. */
  async function logged(query: string, isThere: (found: Logged[]) => boolean): Promise<Logged[]> {
    for (;;) {
      const { body } = await ask(`GET /cms/v1/requests?${query}`)
      if (isThere(body)) return body
      await sleep(50)
    }
  }
  const one = (id: string) => logged(`request_id=${id}`, ({ length }) => length > 0).then(([found]) => found)

  test('records partner, request and reason of refusal, and nothing that could be secret', async () => {
    const as = (partner: string, id: string, more = {}) => ({ as: partner, headers: { 'x-request-id': id }, ...more })
    await atrium().ask('GET /v1/facilities/lyon-01/?x=canary', as('everything', 'r-query'))
    await atrium().ask('GET /v1/facilities/nowhere-2/', as('everything', 'r-none'))
    await atrium().ask('GET /v1/canary', as('everything', 'r-route'))
    await atrium().ask('GET /v1/me', as(`atr_00000000_${'canary0'.repeat(7)}`, 'r-token'))
    await atrium().ask('PATCH /v1/facilities/lyon-01/name', as('bare', 'r-write', { body: { value: 'canary' } }))
    await atrium().ask(
      'POST /v1/areas/chu-nord-214/data_services',
      as('ward', 'r-body', { body: { value: '[{"canary":1}]' } }),
    )
    await atrium().ask('GET /v1/facilities/lyon-01/', as('everything', 'r-good'))
    const last = await one('r-good')
    assert.deepEqual(
      [last.partner, last.status, last.code, last.facility, last.route],
      ['everything', 200, null, 'lyon-01', '/v1/facilities/:facilityExternalId'],
    )
    const expected: Record<string, unknown[]> = {
      'r-query': ['everything', 'lyon-01', null, 400, 'parameter_unknown'],
      'r-none': ['everything', 'nowhere-2', null, 404, 'facility_not_found'],
      'r-route': [null, null, null, 404, 'route_not_found'],
      'r-token': [null, null, null, 401, 'token_invalid'],
      'r-write': ['bare', 'lyon-01', null, 403, 'not_granted'],
      'r-body': ['ward', 'chu-nord', 'chu-nord-214', 400, 'item_invalid'],
    }
    for (const [id, wanted] of Object.entries(expected)) {
      const { partner, facility, area, status, code } = await one(id)
      assert.deepEqual([partner, facility, area, status, code], wanted, id)
    }
    const { text } = await ask('GET /cms/v1/requests')
    assert.doesNotMatch(text, /canary/)
    assert.match((await one('r-write')).detail, /needs the grant "write: name"/)
    assert.equal((await one('r-body')).detail, null)
  })

  test('records the id of an unknown facility, which the partner cannot distinguish from a hidden one', async () => {
    const long = `no-${'x'.repeat(400)}`
    const token = atrium().tokens.bare as string
    const asked = {
      'd-token': token,
      'd-hidden': 'nice-02',
      'd-none': 'nowhere-3',
      'd-long': long,
      'd-odd': 'a%00%0Ab',
    }
    const answers = new Set<string>()
    for (const [id, facility] of Object.entries(asked)) {
      const { text } = await atrium().ask(`GET /v1/facilities/${facility}/`, {
        as: 'bare',
        headers: { 'x-request-id': id },
      })
      answers.add(text.replaceAll(id, 'd'))
    }
    assert.equal(answers.size, 1, 'the same response to all')
    const found = async (id: string) => {
      const { facility, facility_exists, code } = await one(id)
      assert.equal(code, 'facility_not_granted')
      return [facility, facility_exists]
    }
    assert.deepEqual(await found('d-token'), [`${token.slice(0, 13)}…`, false])
    assert.deepEqual(await found('d-hidden'), ['nice-02', true])
    assert.deepEqual(await found('d-none'), ['nowhere-3', false])
    assert.deepEqual(await found('d-long'), [`${long.slice(0, 129)}…`, false])
    assert.deepEqual(await found('d-odd'), ['a\ufffd\ufffdb', false])
    assert.equal((await ask('GET /cms/v1/requests?facility=nowhere-3')).body.length, 1)
    for (const [facility, exists] of [
      ['nice-02', true],
      ['nowhere-3', false],
    ] as const) {
      const question = { partner: 'bare', method: 'GET', path: `/v1/facilities/${facility}/` }
      const { body } = await ask('POST /cms/v1/access-check', question)
      assert.deepEqual([body.code, body.facility_exists], ['facility_not_granted', exists])
    }
  })

  test('records the id of a 404 if it cannot contain a secret', async () => {
    const token = atrium().tokens.everything as string
    const long = `no-${'x'.repeat(400)}`
    const paths = {
      'n-facility': 'facilities/nowhere-4/',
      'n-facility-token': `facilities/${token}/`,
      'n-area': 'areas/lyon-01-none/',
      'n-area-token': `areas/${token}/`,
      'n-area-long': `areas/${long}/data_services`,
    }
    for (const [id, path] of Object.entries(paths)) {
      const as = { as: 'everything', headers: { 'x-request-id': id } }
      assert.equal((await atrium().ask(`GET /v1/${path}`, as)).status, 404)
    }
    const found = async (id: string) => {
      const { facility, facility_exists, area } = await one(id)
      return [facility, facility_exists, area]
    }
    const hidden = `${token.slice(0, 13)}…`
    assert.deepEqual(await found('n-facility'), ['nowhere-4', false, null])
    assert.deepEqual(await found('n-facility-token'), [hidden, false, null])
    assert.deepEqual(await found('n-area'), [null, null, 'lyon-01-none'])
    assert.deepEqual(await found('n-area-token'), [null, null, hidden])
    assert.deepEqual(await found('n-area-long'), [null, null, `${long.slice(0, 129)}…`])
  })

  test('distinguishes a room that is hidden from the partner from one that does not exist', async () => {
    const rooms = { 'a-hidden': 'nice-02-A-1', 'a-none': 'nice-02-A-2', 'a-seen': 'chu-nord-214' }
    for (const [id, room] of Object.entries(rooms)) {
      await atrium().ask(`GET /v1/areas/${room}/`, { as: 'ward', headers: { 'x-request-id': id } })
    }
    const found = async (id: string) => {
      const { code, facility, facility_exists, area, room_exists } = await one(id)
      return [code, facility, facility_exists, area, room_exists]
    }
    assert.deepEqual(await found('a-hidden'), ['area_not_found', 'nice-02', true, 'nice-02-A-1', true])
    assert.deepEqual(await found('a-none'), ['area_not_found', null, null, 'nice-02-A-2', false])
    assert.deepEqual(await found('a-seen'), [null, 'chu-nord', true, 'chu-nord-214', true])
    assert.equal((await one('r-good')).room_exists, null)
  })

  test('is filtered, and its pages follow one another, the newest first', async () => {
    const found = await logged('status=4xx&limit=1000', ({ length }) => length >= 6)
    assert.ok(found.every(({ status }) => status >= 400 && status < 500))
    const seen: number[] = []
    for (let next = '/cms/v1/requests?status=4xx&limit=2'; next !== ''; ) {
      const { body, headers } = await ask(`GET ${next}`)
      seen.push(...body.map(({ seq }: Logged) => seq))
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    assert.deepEqual(
      seen,
      found.map(({ seq }) => seq),
    )
    const ids = async (query: string) =>
      (await ask(`GET /cms/v1/requests?${query}`)).body.map((row: Logged) => row.request_id)
    assert.deepEqual(await ids('partner=bare&method=PATCH'), ['r-write'])
    assert.deepEqual(await ids('facility=chu-nord'), ['a-seen', 'r-body'])
    assert.deepEqual(await ids('method=PATCH&status=403'), ['r-write'])
    assert.deepEqual(await ids('until=2020-01-01'), [])
    assert.equal((await ask('GET /cms/v1/requests?status=active')).body.code, 'parameter_invalid')
  })

  test('is streamed live, with its filters', async () => {
    const cut = new AbortController()
    const headers = { authorization: `Bearer ${admin}` }
    const { body, headers: got } = await fetch(`${atrium().url}/cms/v1/requests/stream?status=404`, {
      headers,
      signal: cut.signal,
    })
    assert.match(got.get('content-type') ?? '', /^text\/event-stream/)
    let text = ''
    const reading = (async () => {
      for await (const part of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) text += part
    })()
    while (!text.includes(': following')) await sleep(10)
    // Waiting for the first comment is enough: from then on the stream misses nothing.
    await atrium().ask('GET /v1/me', { as: 'everything', headers: { 'x-request-id': 'other' } })
    await atrium().ask('GET /v1/facilities/none', { as: 'everything', headers: { 'x-request-id': 'live' } })
    while (!text.includes('"request_id":"live"')) await sleep(50)
    assert.doesNotMatch(text, /"request_id":"other"/)
    cut.abort()
    await assert.rejects(reading, { name: 'AbortError' })
  })

  test('counts every request, although it stores few successful ones', async () => {
    await ask('PATCH /cms/v1/settings', { request_log_successes: 0 })
    const sum = () =>
      atrium().service.db.read(async (tx) => {
        const { sum } = await tx.query
          .selectFrom('request_count')
          .where('partner', '=', 'stranger')
          .select(({ fn }) => fn.sum('requests').as('sum'))
          .executeTakeFirstOrThrow()
        return Number(sum)
      })
    const many = 150
    for (let count = 0; count < many; count++) await atrium().ask('GET /v1/me', { as: 'stranger' })
    while ((await sum()) < many) await sleep(50)
    assert.equal(await sum(), many)
    const { body } = await ask('GET /cms/v1/requests?partner=stranger&limit=1000')
    assert.ok(body.length < many, `${body.length} written down`)
  })

  test('entries beyond the limits of age and number are deleted', async () => {
    const { db } = atrium().service
    const old = new Date(Date.now() - 8 * 86_400_000).toISOString()
    await db.write(async (tx) => {
      await tx.query.updateTable('request_log').set({ at: old }).where('request_id', '=', 'r-body').execute()
      const count = { minute: old, partner: 'former', status: 200, requests: 1, duration_us: 1, slowest_us: 1 }
      await tx.query.insertInto('request_count').values(count).execute()
    })
    await pruneRequestLog(db)
    assert.deepEqual((await ask('GET /cms/v1/requests?request_id=r-body')).body, [])
    const counts = await db.read((tx) => tx.query.selectFrom('request_count').select('partner').execute())
    assert.ok(!counts.some(({ partner }) => partner === 'former'))
  })

  test('no entry is lost when a node stops', async () => {
    const config = readConfig({ ATRIUM_PORT: '0', ATRIUM_DATABASE: atrium().databaseUrl })
    const other = await startService(config, { logStream: { write: () => {} } })
    await fetch(`${other.url}/v1/me`, { headers: { 'x-request-id': 'the-last' } })
    await other.close()
    assert.equal((await ask('GET /cms/v1/requests?request_id=the-last')).body[0].code, 'token_missing')
  })

  test('is exported with its filters, as CSV and as JSON', async () => {
    const as = (id: string) => ({ as: 'bare', headers: { 'x-request-id': id } })
    await atrium().ask('GET /v1/facilities/exported-9/', as('e-1'))
    await atrium().ask('GET /v1/facilities/exported-9/', as('e-2'))
    const listed = await logged('partner=bare&facility=exported-9', ({ length }) => length === 2)
    const json = await ask('GET /cms/v1/requests/export?partner=bare&facility=exported-9&format=json')
    assert.deepEqual(json.body, listed)
    const csv = await ask('GET /cms/v1/requests/export?partner=bare&request_id=e-2')
    assert.match(csv.headers.get('content-disposition') ?? '', /filename="requests.csv"/)
    const [head = '', line = '', ...more] = csv.text.trim().split('\r\n')
    assert.deepEqual(more, [])
    const cells = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]))
    assert.deepEqual([cells.partner, cells.status, cells.request_id], ['bare', '403', 'e-2'])
    assert.equal((await ask('GET /cms/v1/requests/export?until=2020-01-01')).text.trim(), head)
    const viewer = (await addOperator(atrium(), 'viewer')).key
    assert.equal((await atrium().ask('GET /cms/v1/requests/export', { as: viewer })).status, 403)
  })
})
