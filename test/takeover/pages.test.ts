import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextPage } from '../../src/takeover/next-page.ts'
import { getList } from '../../src/takeover/pages.ts'
import type { Reader } from '../../src/takeover/remote.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { inPages, oldViews, type PlainInstallation, startPlain } from './plain-installation.ts'
import { run, start } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-pages-'))
after(() => rmSync(folder, { recursive: true }))

const tokens = 'secret-one\nsecret-two\n'
const rate = ['--rate', '1000']
const pull = (url: string) => {
  const state = join(folder, 'pages.state')
  rmSync(state, { force: true })
  return run(tokens, {}, 'pull', '--base-url', url, '--token', '-', '--state', state, '--json', ...rate)
}
const compare = (a: string, b: string) => run(tokens, {}, 'compare', '--a', a, '--b', b, ...rate)

/** Runs work with an installation that sends whole lists, and one that sends the same in pages. */
async function withBoth(work: (whole: PlainInstallation, paged: PlainInstallation) => Promise<void>): Promise<void> {
  const [whole, paged] = [await startPlain(oldViews), await startPlain(oldViews, inPages(oldViews))]
  try {
    await work(whole, paged)
  } finally {
    whole.close()
    paged.close()
  }
}

describe('lists in pages', () => {
  test('are pulled to their end', () =>
    withBoth(async (whole, paged) => {
      const [one, other] = [await pull(whole.url), await pull(paged.url)]
      assert.equal(other.code, 0, other.stderr)
      assert.equal(JSON.parse(one.stdout).facilities[0].areas.length, 2)
      assert.equal(other.stdout, one.stdout)
    }))

  test('are compared to their end', () =>
    withBoth(async (whole, paged) => {
      const same = await compare(whole.url, paged.url)
      assert.equal(same.code, 0, same.stdout)
      assert.match(same.stdout, /of 3 facilities compared: no differences$/m)
      const areas = '/v1/facilities/old-01/areas'
      const view = oldViews['secret-one'] ?? {}
      const views = { ...oldViews, 'secret-one': { ...view, [areas]: (view[areas] as unknown[]).slice(0, 2) } }
      const other = await startPlain(views, inPages(views))
      const differing = await compare(paged.url, other.url)
      other.close()
      assert.equal(differing.code, 1)
      assert.match(differing.stdout, /areas {2}elsewhere-3 {2}only in A$/m)
    }))

  const outside: [what: string, link: (trap: string, path: string) => string][] = [
    ['on another origin', (trap, path) => `${trap}${path}?page=1`],
    ['outside the API', (_trap, path) => path.replace('/v1/', '/v2/')],
    ['without an address', () => 'http://['],
  ]
  for (const [what, link] of outside) {
    test(`${what} are refused, and no token is sent there`, async () => {
      const [trap, other] = [await startPlain(oldViews), await startPlain(oldViews)]
      const old = await startPlain(
        oldViews,
        inPages(oldViews, (_query, path) => link(trap.url, path)),
      )
      const [pulled, compared] = [await pull(old.url), await compare(old.url, other.url)]
      for (const { close } of [trap, other, old]) close()
      assert.deepEqual([pulled.code, pulled.stdout, compared.code, trap.requests.length], [1, '', 1, 0])
      const says = /this next page is outside http:\/\/127\.0\.0\.1:\d+\/v1\/, and tokens are not sent there/
      assert.match(pulled.stderr, says)
      assert.match(compared.stdout, says)
      assert.ok(old.requests.every(({ path }) => path.startsWith('/v1/')))
    })
  }

  const endless = (next: (at: number) => string, json: (at: number) => unknown = () => []): Reader => {
    let at = 0
    return { name: 'token 1', get: async () => ({ status: 200, json: json(at), etag: undefined, next: next(at++) }) }
  }

  test('that form a loop, do not end or change their form are given up', async () => {
    await assert.rejects(
      getList(
        endless((at) => `page-${at % 3}`),
        '/v1/x',
      ),
      /its pages form a loop, by page-0$/,
    )
    await assert.rejects(
      getList(
        endless((at) => `page-${at}`),
        '/v1/x',
      ),
      /it has more than 10000 pages$/,
    )
    const changing = endless(
      (at) => (at === 0 ? 'next' : (undefined as unknown as string)),
      (at) => (at === 0 ? [] : {}),
    )
    await assert.rejects(getList(changing, '/v1/x'), /its pages have different forms$/)
  })

  test('have an item once, though it moved to a later page', async () => {
    const views = { t: { '/v1/facilities/': ['a', 'b', 'b', 'c'].map((id) => ({ id_external: id })) } }
    const old = await startPlain(views, inPages(views))
    const { stdout } = await run('t\n', {}, 'compare', '--a', old.url, '--b', old.url, ...rate)
    const asked = old.requests.filter(({ path }) => path === '/v1/facilities/b/')
    old.close()
    assert.match(stdout, /of 3 facilities compared/)
    assert.equal(asked.length, 2)
  })
})

describe('the next page in Link', () => {
  const base = 'https://old.example/v1/facilities/?limit=2'
  for (const [link, next] of [
    ['</v1/facilities/?cursor=x>; rel="next"', 'https://old.example/v1/facilities/?cursor=x'],
    ['<?page=2>; rel=next', 'https://old.example/v1/facilities/?page=2'],
    ['<https://other.example/>; REL="prev NEXT"', 'https://other.example/'],
    ['<?a>; rel="prev", <?b>; title="x; rel=next", <?c>;rel="next"', 'https://old.example/v1/facilities/?c'],
    ['<?a>; title="\\", <?b>; rel=next"', undefined],
    ['<?a>; rel="prev"; title="next"', undefined],
    ['<?a; rel="next"', undefined],
    ['', undefined],
    [null, undefined],
  ] as const) {
    test(`${link}`, () => assert.equal(nextPage(link, base), next))
  }
})

onEachEngine('atrium mirror from lists in pages', {}, (atrium) => {
  test('copies all of them, and notices a page that is added', async () => {
    const facility = { id: 61, id_external: 'paged', name: 'Paged', status: 'active' }
    const area = (short: string) => ({
      id_external: `paged-${short}`,
      name: short,
      data_services: [],
      data_general: [],
    })
    const areas = '/v1/facilities/paged/areas'
    const views = {
      t: {
        '/v1/facilities/': [{ id: 60, id_external: 'first', name: 'First', status: 'active' }, facility],
        '/v1/facilities/paged/': facility,
        [areas]: [area('1'), area('2')],
      },
    }
    const pages = inPages(views)
    // The ETag of a page that was the last one stays the same when another page follows it.
    const old = await startPlain(views, (request, response, count) => {
      const etag = `"${request.url}"`
      response.setHeader('etag', etag)
      if (request.headers['if-none-match'] !== etag) return pages(request, response, count)
      response.writeHead(304).end()
      return true
    })
    const settings = { ATRIUM_DATABASE: atrium().databaseUrl }
    const more = ['--from', old.url, '--token', '-', '--interval', '0.1']
    const following = start('t\n', settings, 'mirror', ...more, ...rate)
    while (!following.said().includes('first round complete')) await sleep(20)
    views.t[areas].push(area('3'))
    const rooms = async () => {
      const { body } = await atrium().ask('GET /v1/facilities/paged/areas', { as: 'everything' })
      return body.map((one: { id_external: string }) => one.id_external)
    }
    while ((await rooms()).length < 3) await sleep(20)
    following.child.kill('SIGTERM')
    const { code, stdout } = await following.outcome
    old.close()
    assert.equal(code, 0)
    assert.match(stdout, /^\+ facility first$/m)
    assert.deepEqual(await rooms(), ['paged-1', 'paged-2', 'paged-3'])
  })

  test('ends with exit code 1 when a page is elsewhere', async () => {
    const settings = { ATRIUM_DATABASE: atrium().databaseUrl }
    const areas = '/v1/facilities/old-01/areas'
    for (const [only, says] of [
      ['/v1/facilities/', /^atrium: GET http:\/\/trap\.example\/: this next page is outside /m],
      [areas, /^Not read: old-01$/m],
    ] as const) {
      const pages = inPages(oldViews, () => 'http://trap.example/')
      const old = await startPlain(oldViews, (request, response, count) => {
        return request.url === only && pages(request, response, count)
      })
      const more = ['--from', old.url, '--token', '-', '--once', ...rate]
      const { code, stdout, stderr } = await run(tokens, settings, 'mirror', ...more)
      old.close()
      assert.equal(code, 1)
      assert.match(stdout + stderr, says)
    }
  })
})
