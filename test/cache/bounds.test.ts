import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { plainGet } from './plain-get.ts'

const many = <T>(length: number, make: (n: number) => T) => Array.from({ length }, (_, n) => make(n))
const facilities = many(30, (n) => ({
  id_external: `f-${n}`,
  name: `Facility ${n}`,
  room_services: true,
  areas: many(30, (id) => ({ id: `${id}`, name: `Room ${id}` })),
  areas_autocomplete_list: many(30, (id) => ({ id: `${id}`, name: `Room ${id}` })),
}))
const partners = many(10, (n) => ({
  id: `p-${n}`,
  name: `Partner ${n}`,
  grants: [
    { facilities: n === 0 ? '*' : facilities.map(({ id_external }) => id_external), read: '*', write: '*', rooms: '*' },
  ],
}))
const estate = { facilities, partners }
const budget = 20_000
const paths = (n: number) => ['', `/f-${n}`, `/f-${n}/areas`, `/f-${n}/areas_autocomplete_list`]

/** Returns one series of a metric. */
async function figures(atrium: TestAtrium, name: string): Promise<Record<string, number>> {
  const { text } = await atrium.ask('GET /metrics')
  const lines = [...text.matchAll(new RegExp(`^atrium_memory_${name}\\{of="(\\w+)"\\} (\\d+)$`, 'gm'))]
  return Object.fromEntries(lines.map(([, of, value]) => [of, Number(value)]))
}

const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((a, b) => a + b, 0)

for (const memory of [0, budget]) {
  onEachEngine(`${memory} bytes of memory`, { estate, settings: { ATRIUM_MEMORY_BYTES: `${memory}` } }, (atrium) => {
    test('hold no more than that for any requests in any encodings', async () => {
      for (let n = 0; n < 60; n++) {
        const token = atrium().tokens[`p-${n % 10}`] as string
        const encoding = ['identity', 'gzip', 'br', 'zstd'][n % 4] as string
        const urls = paths(n % 30).map((path) => `${atrium().url}/v1/facilities${path}`)
        const answers = await Promise.all(urls.map((url) => plainGet(url, token, { 'accept-encoding': encoding })))
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        assert.ok(sum(await figures(atrium(), 'bytes')) <= memory)
      }
      const bytes = await figures(atrium(), 'bytes')
      assert.deepEqual(Object.keys(bytes).sort(), ['answers', 'facilities', 'partners', 'places', 'tags', 'tokens'])
      assert.ok((bytes.answers as number) <= memory * 0.7)
      if (memory === 0) assert.equal(sum(await figures(atrium(), 'entries')), 0)
    })

    test('are enough for every change, and for what it changes to be seen', async () => {
      const ask = (request: string, body?: object) => atrium().ask(request, { as: 'p-3', ...(body && { body }) })
      for (let n = 0; n < 10; n++) {
        const facility = `/v1/facilities/f-${n}`
        assert.equal((await ask(`PATCH ${facility}/name`, { value: `New ${n}` })).status, 200)
        assert.equal((await ask(`GET ${facility}`)).body.name, `New ${n}`)
        assert.equal((await ask('GET /v1/facilities')).body[n].name, `New ${n}`)
        const room = `/v1/areas/f-${n}-7`
        const opened = await ask(`POST ${room}`)
        const added = await ask(`POST ${room}/data_services`, { value: '[{"code":"tv"}]' })
        assert.deepEqual([opened.status, added.status], [200, 200])
        const area = (await ask(`GET ${facility}/areas`)).body[7]
        assert.deepEqual([area.cycle, area.data_services], [opened.body.area.cycle, added.body.services.data_services])
        const value = [{ id_external: 'x', name: 'X' }]
        assert.equal((await ask(`PATCH ${facility}/areas_autocomplete_list`, { value })).status, 200)
        assert.equal((await ask(`GET ${facility}/areas_autocomplete_list`)).body.areas_autocomplete_list.length, 1)
      }
    })
  })
}

onEachEngine('hits and misses', { estate }, (atrium) => {
  for (const path of paths(5)) {
    test(`count once for each request: GET /v1/facilities${path}`, async () => {
      const counts = async () => {
        const [hits, misses] = [await figures(atrium(), 'hits_total'), await figures(atrium(), 'misses_total')]
        return { hits: hits.answers as number, misses: misses.answers as number }
      }
      const ask = () => atrium().ask(`GET /v1/facilities${path}`, { as: 'p-4' })
      const start = await counts()
      await ask()
      const first = await counts()
      assert.deepEqual(first, { hits: start.hits, misses: start.misses + 1 }, 'the first is a miss')
      await ask()
      await ask()
      const later = await counts()
      assert.deepEqual(later, { hits: first.hits + 2, misses: first.misses }, 'the others are hits')
    })
  }

  test('of tokens and partners count too', async () => {
    await atrium().ask('GET /v1/me', { as: 'p-7' })
    const before = await figures(atrium(), 'hits_total')
    await atrium().ask('GET /v1/me', { as: 'p-7' })
    assert.ok(((await figures(atrium(), 'hits_total')).tokens as number) > (before.tokens as number))
    assert.ok(((await figures(atrium(), 'misses_total')).partners as number) > 0)
  })

  test('an encoded response counts once for unusual spellings of Accept-Encoding', async () => {
    const ask = () =>
      plainGet(`${atrium().url}/v1/facilities/f-9/areas`, atrium().tokens['p-2'] as string, {
        'accept-encoding': 'gzip',
        origin: 'https://elsewhere.example',
      })
    for (let n = 0; n < 3; n++) await ask()
    const before = await figures(atrium(), 'bytes')
    for (let n = 0; n < 5; n++) await ask()
    assert.deepEqual(await figures(atrium(), 'bytes'), before)
  })
})
