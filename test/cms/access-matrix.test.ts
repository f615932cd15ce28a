import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readFields, roomOperations, writeFields } from '../../src/domain/access/grant.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

const everything = { read: [...readFields], write: [...writeFields], rooms: [...roomOperations] }
const lyon = { facility: 'lyon-01', name: 'Hôtel Bellecour' }
const nice = { facility: 'nice-02', name: 'Résidence du Port' }
const chu = { facility: 'chu-nord', name: 'CHU Nord' }

const rows: [partner: string, query: string, expected: object[]][] = [
  [
    'hotelier',
    '',
    [
      { ...lyon, read: ['ssid_public', 'address', 'areas'], write: ['name'], rooms: ['open_close'], grants: [0, 1] },
      { ...nice, read: ['areas'], write: [], rooms: ['open_close'], grants: [1] },
    ],
  ],
  ['hotelier', '?q=residence', [{ ...nice, read: ['areas'], write: [], rooms: ['open_close'], grants: [1] }]],
  ['hotelier', '?q=chu', []],
  ['everything', '', [chu, lyon, nice].map((one) => ({ ...one, ...everything, grants: [0] }))],
  ['everything', '?limit=1', [{ ...chu, ...everything, grants: [0] }]],
  ['stranger', '', []],
]

onEachEngine('what a partner may do, facility by facility', {}, (atrium) => {
  let key = ''
  before(async () => {
    key = (await addOperator(atrium(), 'viewer')).key
  })
  const get = (path: string) => atrium().ask(`GET ${path}`, { as: key })

  for (const [partner, query, expected] of rows) {
    test(`${partner}${query}`, async () => {
      assert.deepEqual((await get(`/cms/v1/partners/${partner}/access${query}`)).body, expected)
    })
  }

  test('pages list each facility once', async () => {
    const seen: string[] = []
    for (let path: string | undefined = '/cms/v1/partners/everything/access?limit=2'; path !== undefined; ) {
      const { body, headers } = await get(path)
      assert.equal(headers.get('x-total-count'), '3')
      seen.push(...body.map(({ facility }: { facility: string }) => facility))
      path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(seen, ['chu-nord', 'lyon-01', 'nice-02'])
  })

  test('an unknown partner is refused', async () => {
    assert.equal((await get('/cms/v1/partners/none/access')).body.code, 'partner_not_found')
  })
})
