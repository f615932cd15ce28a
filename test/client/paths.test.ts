import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Atrium } from '../../client/src/index.ts'
import { calls, methodsIn } from './operations.ts'

const root = join(import.meta.dirname, '../..')
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
  '%2F',
  'a%2Fb',
  ' ',
  '.\t.',
  'é',
  '部屋',
  'a;b',
]

/** Creates a client whose `fetch` records the methods and paths as sent. */
function watched(): { atrium: Atrium; sent: [method: string, path: string][] } {
  const sent: [string, string][] = []
  const fetch = async (address: string | URL | Request, init?: RequestInit) => {
    const { method, url } = new Request(address, init)
    const { pathname } = new URL(url)
    sent.push([method, pathname])
    const isList = method === 'GET' && /\/(facilities\/|areas|requests|deliveries)$/.test(pathname)
    const empty = {
      areas_autocomplete_list: [],
      services: {},
      data_services: [{}],
      data: [{ id: 'x' }],
      from: {},
      results: [],
    }
    return Response.json(isList ? [] : empty, { headers: { etag: '"x"' } })
  }
  return { atrium: new Atrium({ baseUrl: 'http://atrium.example', token: 'x', fetch }), sent }
}

test('the table of calls has every method of the client', () => {
  assert.deepEqual(Object.keys(calls).sort(), methodsIn(watched().atrium))
})

test('every operation of the document has a method', () => {
  const { paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
  const documented = Object.entries(paths as object)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
  const sent = new Set(Object.values(calls).map(([operation]) => operation))
  assert.deepEqual([...sent].sort(), documented.sort())
})

test('the README lists every method with its route', () => {
  const text = readFileSync(join(root, 'client/README.md'), 'utf8')
  const rows = text.matchAll(/^\| `([\w.]+)\([^|]*\)` \| `(\w+ [^`]+)` \|/gm)
  const listed = Array.from(rows, ([, name, route]) => [name, route])
  assert.deepEqual(
    listed.sort(),
    Object.entries(calls)
      .map(([name, [operation]]) => [name, operation])
      .sort(),
  )
})

for (const [name, [operation, call]] of Object.entries(calls)) {
  const [method = '', path = ''] = operation.split(' ')
  const parameters: string[] = path.match(/\{\w+\}/g) ?? []
  const withId = (id: string, at: number) => parameters.map((_, index) => (index === at ? id : `other${index}`))

  test(`${name}: sends ${operation}`, async () => {
    const { atrium, sent } = watched()
    const ids = parameters.map((_, index) => `id${index}`)
    await call(atrium, ...ids)
    const expected = parameters.reduce((text, parameter, index) => text.replace(parameter, `id${index}`), path)
    assert.deepEqual(sent.at(-1), [method, expected])
  })

  for (const [at, parameter] of parameters.entries()) {
    test(`${name}: an id that would change the path is refused before anything is sent (${parameter})`, async () => {
      for (const id of refused) {
        const { atrium, sent } = watched()
        await assert.rejects(async () => call(atrium, ...withId(id, at)), {
          name: 'TypeError',
          message: /is not an id\. Nothing was sent/,
        })
        assert.deepEqual(sent, [])
      }
    })

    test(`${name}: any other id stays one segment of the path (${parameter})`, async () => {
      for (const id of hostile) {
        const { atrium, sent } = watched()
        await call(atrium, ...withId(id, at))
        const ids = withId(id, at)
        const expected = path
          .split('/')
          .map((part) => (parameters.includes(part) ? ids[parameters.indexOf(part)] : part))
        const own = sent.filter(([sentMethod]) => sentMethod === method)
        assert.ok(own.length > 0)
        for (const [, pathname] of own) assert.deepEqual(pathname.split('/').map(decodeURIComponent), expected)
      }
    })
  }
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
