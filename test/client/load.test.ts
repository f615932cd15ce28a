import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Atrium } from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'

onEachEngine('the client under its own load', { settings: { ATRIUM_RATE_LIMIT: '5/s burst 5' } }, (atrium) => {
  test('forty concurrent calls all succeed under a rate limit of five per second', async () => {
    const { services } = new Atrium({ baseUrl: atrium().url, token: atrium().tokens.ward ?? '' })
    const codes = Array.from({ length: 40 }, (_, index) => `code-${index}`)
    const added = await Promise.allSettled(codes.map((code) => services.add('chu-nord-214', [{ code }])))
    assert.deepEqual(
      added.filter(({ status }) => status === 'rejected'),
      [],
    )
    const stored = (await services.list('chu-nord-214')).map(({ code }) => code)
    assert.deepEqual(stored.sort(), codes.sort())
  })
})

test('calls run in order up to the concurrency limit, and can be aborted', async () => {
  const under = { now: 0, most: 0 }
  const order: string[] = []
  const fetch = async (address: string | URL | Request) => {
    order.push(new URL(`${address}`).pathname.split('/')[3] ?? '')
    under.most = Math.max(under.most, ++under.now)
    await new Promise((resolve) => setImmediate(resolve))
    under.now--
    return Response.json({})
  }
  const atrium = new Atrium({ baseUrl: 'http://atrium.example', token: 'x', fetch, maxConcurrency: 3 })
  const leaving = new AbortController()
  const ids = Array.from({ length: 20 }, (_, index) => `f${index}`)
  const calls = ids.map((id) => atrium.facilities.get(id, id === 'f10' ? { signal: leaving.signal } : {}))
  leaving.abort(new Error('no longer wanted'))
  const results = await Promise.allSettled(calls)
  assert.deepEqual(
    results.flatMap(({ status }, index) => (status === 'rejected' ? [ids[index]] : [])),
    ['f10'],
  )
  assert.deepEqual([under.most, order], [3, ids.filter((id) => id !== 'f10')])
})
