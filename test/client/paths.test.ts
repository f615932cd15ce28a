import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Atrium } from '../../client/src/index.ts'

type Method = (atrium: Atrium, id: string) => Promise<unknown>

/** Every method with an id in its path, and the expected path; `ID` stands for the id. */
const methods: Record<string, [path: string, method: Method]> = {
  'facilities.get': ['/v1/facilities/ID/', ({ facilities }, id) => facilities.get(id)],
  'facilities.rename': ['/v1/facilities/ID/name', ({ facilities }, id) => facilities.rename(id, 'x')],
  'facilities.setPublicSsid': [
    '/v1/facilities/ID/ssid_public',
    ({ facilities }, id) => facilities.setPublicSsid(id, 'x'),
  ],
  'facilities.setPortalUrl': [
    '/v1/facilities/ID/subscription_url',
    ({ facilities }, id) => facilities.setPortalUrl(id, 'x'),
  ],
  'areas.list': ['/v1/facilities/ID/areas', async ({ areas }, id) => areas.list(id).all()],
  'areas.get': ['/v1/areas/ID/', ({ areas }, id) => areas.get(id)],
  'autocomplete.list': [
    '/v1/facilities/ID/areas_autocomplete_list',
    async ({ autocomplete }, id) => autocomplete.list(id).all(),
  ],
  'autocomplete.rehearse': [
    '/v1/facilities/ID/areas_autocomplete_list',
    ({ autocomplete }, id) => autocomplete.rehearse(id, []),
  ],
  'autocomplete.replace': [
    '/v1/facilities/ID/areas_autocomplete_list',
    ({ autocomplete }, id) => autocomplete.replace(id, []),
  ],
  'rooms.open': ['/v1/areas/ID/', ({ rooms }, id) => rooms.open(id)],
  'rooms.close': ['/v1/areas/ID/', ({ rooms }, id) => rooms.close(id)],
  'services.list': ['/v1/areas/ID/data_services', ({ services }, id) => services.list(id)],
  'services.add': ['/v1/areas/ID/data_services', ({ services }, id) => services.add(id, [])],
  'services.delete, the room': ['/v1/areas/ID/data_services/s', ({ services }, id) => services.delete(id, 's')],
  'services.delete, the service': ['/v1/areas/r/data_services/ID', ({ services }, id) => services.delete('r', id)],
}
const withoutIds = ['facilities.list', 'sandbox.get', 'sandbox.reset', 'sandbox.clock']

const refused = ['', '.', '..', undefined, null, 7, ['..']] as string[]
const hostile = [
  '...',
  '%2e%2e',
  '%2E',
  '../x',
  '..\\x',
  'a/../../b',
  '?x',
  '#x',
  '/',
  '//',
  ' ',
  '.\t.',
  'é',
  '部屋',
  'a;b',
]

/** Creates a client whose `fetch` records the path as sent. */
function watched(): { atrium: Atrium; paths: string[] } {
  const paths: string[] = []
  const fetch = async (address: string | URL | Request) => {
    const { pathname } = new URL(new Request(address).url)
    paths.push(pathname)
    return Response.json(pathname.endsWith('/areas') ? [] : { areas_autocomplete_list: [], services: {} })
  }
  return { atrium: new Atrium({ baseUrl: 'http://atrium.example', token: 'x', fetch }), paths }
}

test('the table covers every method of the client', () => {
  const { atrium } = watched()
  const found = Object.entries(atrium).flatMap(([noun, value]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(value))
      .filter((name) => name !== 'constructor')
      .map((name) => `${noun}.${name}`),
  )
  const tried = Object.keys(methods).map((name) => name.replace(/,.*/, ''))
  assert.deepEqual([...new Set([...tried, ...withoutIds])].sort(), found.sort())
})

for (const [name, [path, call]] of Object.entries(methods)) {
  test(`${name}: an id that would change the path is refused before anything is sent`, async () => {
    for (const id of refused) {
      const { atrium, paths } = watched()
      await assert.rejects(async () => call(atrium, id), {
        name: 'TypeError',
        message: /is not an id\. Nothing was sent/,
      })
      assert.deepEqual(paths, [])
    }
  })

  test(`${name}: any other id stays one segment of the path`, async () => {
    for (const id of hostile) {
      const { atrium, paths } = watched()
      await call(atrium, id)
      const expected = path.split('/').map((segment) => (segment === 'ID' ? id : segment))
      assert.deepEqual(
        paths.map((sent) => sent.split('/').map(decodeURIComponent)),
        [expected],
      )
    }
  })
}

test('an address that ends with /v1 is the same address', async () => {
  for (const baseUrl of ['http://a.example/v1', 'http://a.example/v1/', 'http://a.example/', 'http://a.example']) {
    const sent: string[] = []
    const fetch = async (address: string | URL | Request) => {
      sent.push(`${address}`)
      return Response.json({})
    }
    await new Atrium({ baseUrl, token: 'x', fetch }).me()
    assert.deepEqual(sent, ['http://a.example/v1/me'])
  }
})
