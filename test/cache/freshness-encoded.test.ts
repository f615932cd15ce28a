import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../harness/seed.ts'
import { type Nodes, onNodes } from './nodes.ts'
import { type Encoding, plainGet } from './plain-get.ts'

/** Long enough that every response is compressed. */
const many = <T>(make: (n: number) => T) => Array.from({ length: 40 }, (_, n) => make(n))
const big = {
  id_external: 'big',
  name: 'Big',
  room_services: true,
  devices: many((n) => ({ id: `tv-${n}`, type: 'tv' })),
  areas: many((n) => ({ id: `${n}`, name: `Room ${n}` })),
  areas_autocomplete_list: many((n) => ({ id: `${n}`, name: `Room ${n}` })),
}
const estate = {
  facilities: [big, ...many((n) => ({ id_external: `f-${n}`, name: `Facility ${n}` }))],
  partners: [
    { id: 'all', name: 'Sees all', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] },
    { id: 'few', name: 'Named', grants: [{ facilities: many((n) => `f-${n}`).concat('big'), read: '*' }] },
  ],
}

const rename = ({ a }: Nodes, n: number) =>
  a.ask('PATCH /v1/facilities/big/name', { as: 'all', body: { value: `Name ${n}` } })
const reads: { path: string; change(nodes: Nodes, n: number): Promise<unknown> }[] = [
  { path: '/v1/facilities/', change: rename },
  { path: '/v1/facilities/big/', change: rename },
  { path: '/v1/facilities/big/areas', change: ({ a }) => a.ask('POST /v1/areas/big-7/', { as: 'all' }) },
  {
    path: '/v1/facilities/big/areas',
    change: ({ operator }, n) =>
      seed(operator, { facilities: [{ id_external: 'big', areas: [{ id: '3', name: `${n}` }] }] }),
  },
  {
    path: '/v1/facilities/big/areas_autocomplete_list',
    change: ({ a }, n) => {
      const value = many((id) => ({ id_external: `${id}`, name: `Entry ${n}` }))
      return a.ask('PATCH /v1/facilities/big/areas_autocomplete_list', { as: 'all', body: { value } })
    },
  },
]

onNodes('no compressed body and no ETag outlives its response', estate, (nodes) => {
  let n = 0
  for (const as of ['all', 'few']) {
    for (const [at, { path, change }] of reads.entries()) {
      for (const encoding of ['identity', 'gzip', 'br', 'zstd'] as Encoding[]) {
        test(`${as}: ${path} as ${encoding}, change ${at}`, async () => {
          const { b, bare } = nodes()
          const token = b.tokens[as] as string
          const ask = (headers = {}) => plainGet(b.url + path, token, { 'accept-encoding': encoding, ...headers })
          await ask()
          const old = await ask()
          assert.deepEqual([old.status, old.encoding], [200, encoding])
          const plain = await plainGet(b.url + path, token)
          assert.equal(plain.text, old.text)
          for (const tag of [old.etag, plain.etag]) assert.equal((await ask({ 'if-none-match': tag })).status, 304)

          await change(nodes(), ++n)
          const next = await ask({ 'if-none-match': old.etag })
          const truth = await plainGet(bare.url + path, token)
          assert.deepEqual([next.status, next.encoding, next.text], [200, encoding, truth.text])
          assert.notEqual(next.text, old.text)
          assert.equal((await ask({ 'if-none-match': plain.etag })).status, 200)
          assert.deepEqual(await ask(), next)
          for (const tag of [next.etag, truth.etag]) assert.equal((await ask({ 'if-none-match': tag })).status, 304)
          assert.deepEqual(await plainGet(b.url + path, token), truth)
        })
      }
    }
  }
})
