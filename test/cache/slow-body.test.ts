import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectTo } from '../harness/connection.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import { type Nodes, onNodes } from './nodes.ts'

const [hotel, ...others] = estate.facilities
const lyon = { ...hotel, room_services: true }
const open = [{ facilities: ['lyon-01'], read: '*', write: '*', rooms: '*' }]
const everyoneOf = (grants: object[]) =>
  estate.partners.map((one) => (one.id === 'hotelier' ? { ...one, grants } : one))
const granted = { facilities: [lyon, ...others], partners: everyoneOf(open) }

const remove = (nodes: Nodes) => seed(nodes.operator, { facilities: others }, { prune: true })
/** The changes made between the head of a request and its body. */
const meanwhile: { what: string; happens(nodes: Nodes): Promise<void> }[] = [
  { what: 'its grant went', happens: ({ operator }) => seed(operator, { partners: everyoneOf([]) }) },
  { what: 'the facility went', happens: remove },
  {
    what: 'the facility was removed, and one with the same ids was created that no partner may see',
    happens: async (nodes) => {
      await remove(nodes)
      await seed(nodes.operator, { facilities: [lyon] })
    },
  },
  {
    what: 'the facility was removed, and one with another number was created that no partner may see',
    happens: async (nodes) => {
      await remove(nodes)
      await seed(nodes.operator, { facilities: [{ ...lyon, id: undefined }] })
    },
  },
]
const requests: { request: string; body: string; status: number }[] = [
  { request: 'PATCH /v1/facilities/lyon-01/name', body: '{"value":"Too late"}', status: 403 },
  { request: 'PATCH /v1/facilities/lyon-01/areas_autocomplete_list', body: '{"value":[]}', status: 403 },
  { request: 'POST /v1/areas/lyon-01-101/data_services', body: '{"value":"[{\\"code\\":\\"late\\"}]"}', status: 404 },
]

onNodes('a body that arrives after its caller has lost the permission', granted, (nodes) => {
  for (const { what, happens } of meanwhile) {
    for (const { request, body, status } of requests) {
      test(`${request}: ${what}`, async () => {
        const { b, operator } = nodes()
        await seed(operator, { facilities: others }, { prune: true })
        await seed(operator, granted)
        const connection = await connectTo(b.url)
        const headers = ['Host: x', `Authorization: Bearer ${b.tokens.hotelier}`, 'Content-Type: application/json']
        connection.send(`${request} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`)
        assert.equal(await connection.answer(150), undefined)
        await happens(nodes())
        const before = await state(nodes())
        connection.send(body)
        assert.equal((await connection.answer())?.status, status)
        assert.deepEqual(await state(nodes()), before, 'nothing was changed')
        connection.close()
      })
    }
  }
})

async function state({ bare }: Nodes): Promise<string[]> {
  const paths = ['', 'areas', 'areas_autocomplete_list']
  const answers = paths.map((path) => bare.ask(`GET /v1/facilities/lyon-01/${path}`, { as: 'everything' }))
  return (await Promise.all(answers)).map(({ status, text }) => (status === 200 ? text : `${status}`))
}
