import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

onEachEngine('facilities in the CMS', {}, (atrium) => {
  let admin = ''
  before(async () => {
    admin = (await addOperator(atrium(), 'admin')).key
  })
  const ask = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
    atrium().ask(request, { as: admin, headers, ...(body !== undefined && { body }) })
  const ids = async (query: string) => (await ask(`GET /cms/v1/facilities?${query}`)).body.map(idOf)
  const idOf = ({ id_external }: { id_external: string }) => id_external

  test('the list is searched without case and accents, filtered and ordered', async () => {
    assert.deepEqual(await ids('q=hot'), ['lyon-01'])
    assert.deepEqual(await ids('q=RESIDENCE%20du'), ['nice-02'])
    assert.deepEqual(await ids('q=nice-02'), ['nice-02'])
    assert.deepEqual(await ids('q=otel'), [], 'not in the middle of a word')
    assert.deepEqual(await ids('q=%25'), [], 'a wildcard is a character like any other')
    assert.deepEqual(await ids('type=hospital'), ['chu-nord'])
    assert.deepEqual(await ids('ids=nice-02,lyon-01,nowhere-9'), ['lyon-01', 'nice-02'])
    for (const query of ['ids=', 'ids=lyon-01,', `ids=${Array(201).fill('x').join(',')}`]) {
      assert.equal((await ask(`GET /cms/v1/facilities?${query}`)).body.code, 'parameter_invalid')
    }
    assert.deepEqual(await ids('sort=-name'), ['nice-02', 'lyon-01', 'chu-nord'])
    assert.equal((await ask('GET /cms/v1/facilities?sort=secret')).body.code, 'parameter_invalid')
  })

  test('pages follow one another, and report the length of the list', async () => {
    const seen: string[] = []
    for (let next = '/cms/v1/facilities?limit=1&sort=name'; next !== ''; ) {
      const { body, headers } = await ask(`GET ${next}`)
      assert.equal(headers.get('x-total-count'), '3')
      seen.push(...body.map(idOf))
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    assert.deepEqual(seen, ['chu-nord', 'lyon-01', 'nice-02'])
  })

  test('a facility is created, changed and removed, and partners see it at once', async () => {
    const made = await ask('POST /cms/v1/facilities', {
      id_external: 'paris-03',
      name: 'Hôtel du Parc',
      areas: [{ id: '1', name: 'One' }],
    })
    assert.deepEqual([made.status, made.body.areas_count, made.body.timezone], [200, 1, 'UTC'])
    assert.equal(
      (await ask('POST /cms/v1/facilities', { id_external: 'paris-03', name: 'X' })).body.code,
      'facility_exists',
    )
    const changed = await ask('PATCH /cms/v1/facilities/paris-03', { ssid_public: 'Parc' })
    assert.equal(changed.body.ssid_public, 'Parc')
    const seen = await atrium().ask('GET /v1/facilities/paris-03', { as: 'everything' })
    assert.equal(seen.body.ssid_public, 'Parc')
    const gone = await ask('DELETE /cms/v1/facilities/paris-03')
    assert.deepEqual(gone.body.lost, { areas: 1, open_rooms: 0, subscriptions: 0 })
    assert.equal((await ask('GET /cms/v1/facilities/paris-03')).body.code, 'facility_not_found')
    assert.equal((await atrium().ask('GET /v1/facilities/paris-03', { as: 'everything' })).status, 404)
  })

  test('a second edit of the same version of a facility is refused', async () => {
    const etag = (await ask('GET /cms/v1/facilities/nice-02')).headers.get('etag') ?? ''
    const first = await ask('PATCH /cms/v1/facilities/nice-02', { name: 'First' }, { 'if-match': etag })
    const second = await ask('PATCH /cms/v1/facilities/nice-02', { name: 'Second' }, { 'if-match': etag })
    assert.deepEqual([first.status, second.body.code], [200, 'precondition_failed'])
    assert.equal((await ask('GET /cms/v1/facilities/nice-02')).headers.get('etag'), first.headers.get('etag'))
    assert.deepEqual(await ids('q=first'), ['nice-02'], 'and a new name is found')
  })

  test('a faulty body is refused with all its faults, and nothing changes', async () => {
    const etag = (await ask('GET /cms/v1/facilities/lyon-01')).headers.get('etag')
    const faulty = { id_external: 'other', name: '', status: 'Bad!', nonsense: 1, address: { country: 'France' } }
    const { status, body } = await ask('PATCH /cms/v1/facilities/lyon-01', faulty)
    assert.deepEqual([status, body.code], [400, 'body_invalid'])
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(pointers.toSorted(), ['/address/country', '/id_external', '/name', '/nonsense', '/status'])
    assert.equal((await ask('GET /cms/v1/facilities/lyon-01')).headers.get('etag'), etag)
  })
})
