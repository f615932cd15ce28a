import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../harness/atrium.ts'
import { type PlainInstallation, startPlain, type View } from './plain-installation.ts'
import { run, start } from './run.ts'

const list = '/v1/facilities/'

/** An installation with events, of which some paths fail with a status that is not asked again within a poll. */
class Old {
  readonly view: View = { [list]: [] }
  readonly #events: { facility: string }[] = []
  readonly failing = new Map<string, number>()
  #plain: PlainInstallation | undefined

  async start(): Promise<string> {
    this.close()
    this.#plain = await startPlain({ t: this.view }, ({ url = '' }, response) => {
      const { pathname: path, searchParams } = new URL(url, 'http://old')
      const left = this.failing.get(path) ?? 0
      this.failing.set(path, left - 1)
      if (left > 0) response.writeHead(418).end()
      else if (path === '/v1/events') {
        const data = this.#events.slice(Number(searchParams.get('after') ?? this.#events.length))
        response.end(JSON.stringify({ data, next: String(this.#events.length) }))
      } else return false
      return true
    })
    return this.#plain.url
  }

  set(id: string, name: string): void {
    const facility = { id_external: id, name, status: 'active' }
    const others = (this.view[list] as { id_external: string }[]).filter((one) => one.id_external !== id)
    this.view[list] = [...others, facility]
    this.view[`${list}${id}/`] = facility
  }

  happens(facility: string): void {
    this.#events.push({ facility })
  }

  count(path: string): number {
    return this.#plain?.requests.filter((one) => one.path === path).length ?? 0
  }

  close(): void {
    this.#plain?.close()
  }
}

onEachEngine('atrium mirror', {}, (atrium) => {
  let old = new Old()
  beforeEach(() => {
    old.close()
    old = new Old()
  })
  after(() => old.close())

  const args = (url: string) => ['mirror', '--from', url, '--token', '-', '--rate', '1000', '--interval', '0.1']
  const follow = async () => start('t\n', { ATRIUM_DATABASE: atrium().databaseUrl }, ...args(await old.start()))
  const nameOf = async (id: string) =>
    (await atrium().ask(`GET ${list}${id}/`, { as: 'everything' })).body.name as string | undefined
  const until = async (isSo: () => Promise<boolean> | boolean) => {
    while (!(await isSo())) await sleep(20)
  }

  test('reads a facility again that failed after an event, without a round', async () => {
    old.set('nantes', 'Nantes')
    old.set('brest', 'Brest')
    const following = await follow()
    await until(() => following.said().includes('first round complete'))
    const before = old.count(`${list}brest/`)
    old.failing.set(`${list}nantes/`, 2)
    old.set('nantes', 'Renamed')
    old.happens('nantes')
    await until(async () => (await nameOf('nantes')) === 'Renamed')
    following.child.kill('SIGTERM')
    const { code, stderr } = await following.outcome
    assert.deepEqual([code, old.count(list), old.count(`${list}brest/`)], [0, 1, before])
    assert.equal(stderr.match(/nantes\/: unexpected status 418/g)?.length, 2)
  })

  test('copies a new facility that an event names, without a round', async () => {
    old.set('brest', 'Brest')
    const following = await follow()
    await until(() => following.said().includes('first round complete'))
    const before = old.count(`${list}brest/`)
    old.set('vannes', 'Vannes')
    old.happens('vannes')
    old.happens('unknown')
    await until(async () => (await nameOf('vannes')) === 'Vannes')
    following.child.kill('SIGTERM')
    assert.equal((await following.outcome).code, 0)
    assert.deepEqual([old.count(list), old.count(`${list}brest/`)], [2, before])
  })

  test('reads all facilities again when events fail', async () => {
    old.set('brest', 'Brest')
    const following = await follow()
    await until(() => following.said().includes('first round complete'))
    old.failing.set('/v1/events', Number.POSITIVE_INFINITY)
    old.set('brest', 'Without events')
    await until(async () => (await nameOf('brest')) === 'Without events')
    following.child.kill('SIGTERM')
    assert.equal((await following.outcome).code, 0)
  })

  test('reads the others though the first facilities always fail, and names those', async () => {
    const broken = ['a1', 'a2', 'a3', 'a4']
    for (const id of [...broken, 'quimper']) old.set(id, id)
    for (const id of broken) old.failing.set(`${list}${id}/`, Number.POSITIVE_INFINITY)
    const following = await follow()
    await until(async () => (await nameOf('quimper')) === 'quimper')
    following.child.kill('SIGTERM')
    const { code, stdout } = await following.outcome
    assert.equal(code, 1)
    assert.match(stdout, /^Not read: a1, a2, a3/m)
    old.failing.set(list, Number.POSITIVE_INFINITY)
    const once = await run('t\n', { ATRIUM_DATABASE: atrium().databaseUrl }, ...args(await old.start()), '--once')
    assert.deepEqual([once.code, once.stdout], [1, ''])
    assert.match(once.stderr, /GET \/v1\/facilities\/: unexpected status 418/)
  })
})
