import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { plainGet } from './plain-get.ts'

const many = (length: number) => Array.from({ length }, (_, n) => n)
const rooms = many(100).map((n) => ({ id: `${n}`, name: `Room ${n}` }))
const numbers = many(10)
const facilities = numbers.map((n) => ({
  id_external: `f-${n}`,
  name: `Facility ${n}`,
  room_services: true,
  areas: rooms,
  areas_autocomplete_list: rooms,
}))
const all = { facilities: '*', read: '*', write: '*', rooms: '*' }
const partners = [
  { id: 'full', name: 'Full', grants: [all] },
  { id: 'narrow', name: 'Narrow', grants: [{ facilities: '*', read: ['type'], write: [], rooms: [] }] },
]
/** Space for tokens, partners and a few bodies. */
const settings = { ATRIUM_MEMORY_BYTES: '60000' }

onEachEngine('a small cache', { estate: { facilities, partners }, settings }, (atrium) => {
  const ask = (path: string, etag?: string, as = 'full', more = {}) => {
    const headers = { ...(etag !== undefined && { 'if-none-match': etag }), ...more }
    return plainGet(`${atrium().url}/v1/facilities/${path}`, atrium().tokens[as] as string, headers)
  }
  const paths = numbers.flatMap((n) => [`f-${n}/areas`, `f-${n}/areas_autocomplete_list`])
  const known = (of: TestAtrium) => of.service.db.cache.responses.etagMetrics

  test('knows by their ETags that responses whose bodies it could not keep have not changed', async () => {
    const tags = new Map<string, string>()
    for (const path of paths) tags.set(path, (await ask(path)).etag)
    const { hits } = known(atrium())
    for (const path of paths) {
      const { status, etag, text } = await ask(path, tags.get(path))
      assert.deepEqual([status, etag, text], [304, tags.get(path), ''])
      const encoded = await ask(path, tags.get(path), 'full', { 'accept-encoding': 'gzip' })
      assert.deepEqual([encoded.status, encoded.etag], [304, tags.get(path)?.replace(/"$/, '.gzip"')])
    }
    assert.ok(known(atrium()).hits - hits >= paths.length)
  })

  test('sends the whole body when it has changed, and to callers with another ETag or none', async () => {
    for (const n of numbers) {
      const before = await ask(`f-${n}/areas`)
      const list = await ask(`f-${n}/areas_autocomplete_list`)
      // Evicts its body.
      for (const path of paths) if (!path.startsWith(`f-${n}/`)) await ask(path)
      assert.equal((await ask(`f-${n}/areas`, '"another"')).text, before.text)
      assert.equal((await ask(`f-${n}/areas`)).text, before.text)
      const change = { as: 'full' as const }
      assert.equal((await atrium().ask(`POST /v1/areas/f-${n}-7`, change)).status, 200)
      const after = await ask(`f-${n}/areas`, before.etag)
      assert.deepEqual([after.status, after.text === before.text], [200, false])
      assert.equal((await ask(`f-${n}/areas_autocomplete_list`, list.etag)).status, 304)
      const value = [{ id_external: '1', name: 'One' }]
      const replaced = { ...change, body: { value } }
      assert.equal((await atrium().ask(`PATCH /v1/facilities/f-${n}/areas_autocomplete_list`, replaced)).status, 200)
      assert.equal((await ask(`f-${n}/areas_autocomplete_list`, list.etag)).status, 200)
      assert.equal((await ask(`f-${n}/areas`, after.etag)).status, 304)
    }
  })

  test('reveals nothing by an ETag that the partner may not read', async () => {
    for (const path of paths) {
      const { etag } = await ask(path)
      assert.equal((await ask(path, etag, 'narrow')).status, 403)
      assert.equal((await ask(path, '*', 'narrow')).status, 403)
    }
  })
})
