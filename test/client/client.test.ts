import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Atrium, type Event, etagOf, Problem, Unreachable } from '../../client/src/index.ts'
import { clientTypes } from '../../tools/client-types.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { allSettled } from '../harness/settled.ts'
import { Road } from './road.ts'

const root = join(import.meta.dirname, '../..')
const newName = ({ value }: IteratorResult<Event, void>) => value?.type === 'facility.updated' && value.data.new

test('the types of the client match the OpenAPI document', () => {
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
  assert.equal(readFileSync(join(root, 'client/src/schema.ts'), 'utf8'), clientTypes(document))
})

onEachEngine('the client', {}, (atrium) => {
  const client = (as: string) => new Atrium({ baseUrl: `${atrium().url}/`, token: atrium().tokens[as] ?? '' })

  test('returns the caller', async () => {
    assert.equal((await client('ward').me()).partner.id, 'ward')
  })

  test('lists facilities, at once and page by page', async () => {
    const { facilities } = client('everything')
    const names = (await facilities.list().all()).map(({ id_external }) => id_external)
    assert.deepEqual(names, ['lyon-01', 'chu-nord', 'nice-02'])
    const seen: string[][] = []
    for await (const page of facilities.list({ limit: 2 }).pages())
      seen.push(page.map(({ id_external }) => id_external))
    assert.deepEqual(seen, [['lyon-01', 'chu-nord'], ['nice-02']])
    const active: string[] = []
    for await (const { status } of facilities.list({ status: 'active', limit: 1 })) active.push(status)
    assert.deepEqual(active, ['active', 'active'])
  })

  test('with ifMatch, changes a facility only if it has not changed since', async () => {
    const { facilities } = client('everything')
    const before = await facilities.get('lyon-01')
    const ifMatch = etagOf(before)
    assert.match(ifMatch ?? '', /^"/)
    assert.deepEqual(await facilities.rename('lyon-01', 'Bellecour', { ifMatch }), { name: 'Bellecour' })
    assert.deepEqual(await facilities.setPublicSsid('lyon-01', 'Guest'), { ssid_public: 'Guest' })
    const url = 'https://portal.example/x'
    assert.deepEqual(await facilities.setPortalUrl('lyon-01', url), { subscription_url: url })
    await assert.rejects(facilities.rename('lyon-01', 'Other', { ifMatch }), {
      name: 'Problem',
      status: 412,
      code: 'precondition_failed',
    })
    assert.equal((await facilities.get('lyon-01')).name, 'Bellecour')
  })

  test('reads areas, and replaces the list of rooms', async () => {
    const { areas, autocomplete } = client('everything')
    const found = await areas.list('lyon-01', { q: 'etoile' }).all()
    assert.deepEqual([found.length, (await areas.get('lyon-01-101')).name], [1, 'Suite Étoile'])
    const list = await autocomplete.replace('lyon-01', [
      { id_external: '7', name: 'Seven' },
      { id_external: '8', name: 'Eight' },
    ])
    assert.deepEqual(
      list.map(({ id_external }) => id_external),
      ['lyon-01-7', 'lyon-01-8'],
    )
    assert.deepEqual(await autocomplete.list('lyon-01', { limit: 1 }).all(), list)
  })

  test('opens a room, adds and deletes services, and closes it', async () => {
    const { rooms, services } = client('ward')
    const { area } = await rooms.open('chu-nord-214')
    assert.equal(typeof area.cycle, 'string')
    const added = await services.add('chu-nord-214', [
      { code: 'tv', label: 'Télé "plus"', channels: 20 },
      { code: 'net' },
    ])
    assert.deepEqual(
      added.map(({ code, label, channels }) => [code, label, channels]),
      [
        ['tv', 'Télé "plus"', 20],
        ['net', null, undefined],
      ],
    )
    assert.deepEqual(await services.list('chu-nord-214'), added)
    const left = await services.delete('chu-nord-214', added[0]?.id ?? '')
    assert.deepEqual(
      left.map(({ code }) => code),
      ['net'],
    )
    const closed = await rooms.close('chu-nord-214', { cycle: area.cycle })
    assert.deepEqual([closed.area.cycle, closed.area.data_services], [null, []])
  })

  test('dry-runs the replacement of a list, and follows events from a known one', async () => {
    const partner = client('everything')
    const changes = await partner.autocomplete.rehearse('lyon-01', [])
    assert.deepEqual([changes.added, changes.complete], [[], true])
    await allSettled(atrium().service.db)
    const { next } = (await atrium().ask('GET /v1/events', { as: 'everything' })).body
    for (const name of ['A', 'B']) await partner.facilities.rename('lyon-01', name)
    const first = await partner.events({ after: next }).next()
    const second = await partner.events({ after: first.value?.id }).next()
    assert.deepEqual([newName(first), newName(second), second.value?.origin], ['A', 'B', 'self'])
    await assert.rejects(partner.events({ after: 'x' }).next(), { code: 'parameter_invalid' })
  })

  test('reports a refusal with its reason and the missing permission', async () => {
    const refusal = await client('bare')
      .areas.list('lyon-01')
      .all()
      .catch((error: unknown) => error)
    assert.ok(refusal instanceof Problem)
    const { status, code, required, requestId } = refusal
    assert.deepEqual([status, code, required], [403, 'not_granted', { facility: 'lyon-01', read: 'areas' }])
    assert.match(requestId ?? '', /^[\w-]{20,}$/)
    const wrong = await client('ward')
      .services.add('chu-nord-215', [{ code: '' }])
      .catch((error: unknown) => error)
    assert.ok(wrong instanceof Problem)
    assert.equal(wrong.errors[0]?.pointer, '/value/0/code')
  })

  test('accepts rotated tokens, and ids of every kind', async () => {
    let asked = 0
    const token = async () => (++asked > 1 ? (atrium().tokens.everything ?? '') : 'atr_wrong')
    const rotating = new Atrium({ baseUrl: atrium().url, token })
    await assert.rejects(rotating.me(), { code: 'token_invalid' })
    assert.equal((await rotating.me()).partner.id, 'everything')
    await assert.rejects(rotating.areas.get('a/../b?c#d%2F'), { code: 'area_not_found' })
  })

  describe('over an unreliable network', () => {
    let road: Road
    const traveller = (tries?: number) =>
      new Atrium({ baseUrl: road.url, token: atrium().tokens.ward ?? '', ...(tries !== undefined && { tries }) })
    before(async () => {
      road = await Road.to(atrium().url)
    })
    after(() => road.close())
    const meeting = (...mishaps: typeof road.mishaps) => {
      road.seen.length = 0
      road.mishaps = mishaps
    }

    test('a service is added once although two responses were lost', async () => {
      await traveller().rooms.open('chu-nord-216')
      meeting('cut', 'cut')
      const added = await traveller().services.add('chu-nord-216', [{ code: 'once' }])
      assert.deepEqual([road.seen.length, added.map(({ code }) => code)], [3, ['once']])
      assert.equal((await traveller().services.list('chu-nord-216')).length, 1)
    })

    test('a busy server is retried after the time it asked for', async () => {
      meeting({ status: 503, headers: { 'retry-after': '1' } }, { status: 429, headers: { 'retry-after': '0' } })
      const beginMs = performance.now()
      assert.equal((await traveller().me()).partner.id, 'ward')
      assert.equal(road.seen.length, 3)
      assert.ok(performance.now() - beginMs >= 990)
    })

    test('a Retry-After beyond the limit is not waited for', async () => {
      meeting({ status: 503, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() } })
      const refusal = await traveller()
        .me()
        .catch((error: unknown) => error)
      assert.ok(refusal instanceof Problem && (refusal.retryAfterSeconds ?? 0) > 60)
      assert.deepEqual([road.seen.length, refusal.code], [1, 'unknown'])
    })

    test('closing a room is retried only with a cycle', async () => {
      const { cycle } = (await traveller().rooms.open('chu-nord-216')).area
      meeting('cut')
      await assert.rejects(traveller().rooms.close('chu-nord-216'), Unreachable)
      assert.equal(road.seen.length, 1)
      const next = (await traveller().rooms.open('chu-nord-216')).area.cycle
      meeting('cut')
      await assert.rejects(traveller().rooms.close('chu-nord-216', { cycle }), { code: 'cycle_ended' })
      assert.equal((await traveller().areas.get('chu-nord-216')).cycle, next)
    })

    test('events arrive once each, despite failures', async () => {
      meeting('none', 'cut', { status: 503 })
      const leaving = new AbortController()
      const events = traveller().events({ own: false, signal: leaving.signal })
      const first = events.next()
      // The client has the starting cursor, and waits for events.
      while (road.seen.length < 2) await sleep(5)
      const { facilities } = client('everything')
      await facilities.rename('chu-nord', 'One')
      await facilities.rename('chu-nord', 'Two')
      const names = [await first, await events.next()].map(newName)
      assert.deepEqual(names, ['One', 'Two'])
      assert.ok(road.seen.length >= 4 && road.seen.every((request) => request.includes('own=false')))
      const rest = events.next()
      leaving.abort(new Error('no longer wanted'))
      await assert.rejects(rest, /no longer wanted/)
    })

    test('an unreachable server fails after the retries, an aborted call at once', async () => {
      meeting('cut', 'cut', 'none')
      await assert.rejects(traveller(2).me(), Unreachable)
      assert.equal(road.seen.length, 2)
      meeting({ status: 503, headers: { 'retry-after': '15' } })
      const leaving = new AbortController()
      const waiting = traveller().me({ signal: leaving.signal })
      leaving.abort(new Error('no longer wanted'))
      await assert.rejects(waiting, /no longer wanted/)
    })
  })
})
