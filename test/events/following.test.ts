import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createToken, revokeToken } from '../../src/operations/access/token.ts'
import { removePartner } from '../../src/operations/cms/partner.ts'
import { onNodes } from '../cache/nodes.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import { allAfter, caughtUp, openStream, page, starts, streamed } from './reading.ts'

const rename = async (atrium: TestAtrium, value: string, facility = 'lyon-01') => {
  const answer = await atrium.ask(`PATCH /v1/facilities/${facility}/name`, { as: 'everything', body: { value } })
  assert.equal(answer.status, 200, answer.text)
}
const from = async (atrium: TestAtrium, as: string) => (await starts(atrium, [as])).get(as) ?? ''

/** Opens a stream on a connection of its own. */
function follow(url: string, secret: string): { begun: Promise<unknown>; ended: Promise<string> } {
  const { hostname, port } = new URL(url)
  const lines = ['GET /v1/events HTTP/1.1', 'Host: x', `Authorization: Bearer ${secret}`, 'Accept: text/event-stream']
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return { begun: once(socket, 'data'), ended: once(socket, 'close').then(() => text) }
}

onNodes('following events', estate, (nodes) => {
  test('a request that waits on one node receives what happens on another', async () => {
    const { a, b } = nodes()
    const start = await from(b, 'bare')
    const waiting = page(b, 'bare', `?after=${start}&wait=30`)
    await rename(a, 'Waited for')
    const { data, next } = await waiting
    assert.deepEqual(
      data.map((event) => event.data.new),
      ['Waited for'],
    )
    assert.deepEqual((await page(a, 'bare', `?after=${next}`)).data, [])
  })

  test('a stream receives it too, resumes where it broke off, and leaves out its own changes', async () => {
    const { a, b } = nodes()
    const first = await openStream(b, 'bare')
    const others = await openStream(b, 'everything', {}, '?own=false')
    await rename(a, 'One')
    const one = await first.next()
    assert.deepEqual([one.data.new, one.lastEventId], ['One', one.id])
    first.leave()
    await rename(a, 'Two')
    await rename(a, 'Three')
    const second = await openStream(a, 'bare', { 'last-event-id': one.id })
    assert.deepEqual([(await second.next()).data.new, (await second.next()).data.new], ['Two', 'Three'])
    second.leave()
    await seed(a.service.db, { facilities: [{ id_external: 'lyon-01', name: 'Of an operator' }] })
    assert.equal((await others.next()).data.new, 'Of an operator')
    others.leave()
  })

  test('a request is not ended by changes that it must not see', async () => {
    const { a, b } = nodes()
    const [ward, witness] = [await from(b, 'ward'), await from(b, 'everything')]
    const waiting = page(b, 'ward', `?after=${ward}&wait=30`)
    const seeing = page(b, 'everything', `?after=${witness}&wait=30`)
    await rename(a, 'Not for the ward')
    assert.equal((await seeing).data.length, 1)
    await rename(a, 'For the ward', 'chu-nord')
    assert.deepEqual(
      (await waiting).data.map(({ facility }) => facility),
      ['chu-nord'],
    )
  })

  test('a stream ends when its token is revoked, and sends nothing after that', async () => {
    const { a, b, operator } = nodes()
    const order = { partner: 'bare', name: 'stream', expiresAt: null, allowedRanges: [] }
    const issued = await createToken(operator, order)
    const headers = { authorization: `Bearer ${issued?.secret}`, accept: 'text/event-stream' }
    await caughtUp(b)
    const events = streamed(await fetch(`${b.url}/v1/events`, { headers }))
    await rename(a, 'Before')
    assert.equal((await events.next()).value?.data.new, 'Before')
    await revokeToken(operator, issued?.token.id ?? '')
    await rename(a, 'After')
    assert.equal((await events.next()).done, true)
    assert.equal((await fetch(`${b.url}/v1/events`, { headers })).status, 401)
  })

  // Shorter than the keep-alive timeout of an idle connection.
  test('the connection of a stream ends with the right to follow', { timeout: 40_000 }, async () => {
    const { b, operator } = nodes()
    await seed(operator, { partners: [{ id: 'leaving', name: 'Leaving', grants: [] }] })
    const order = { name: 'stream', expiresAt: null, allowedRanges: [] }
    const endless = await createToken(operator, { ...order, partner: 'bare' })
    const soon = new Date(Date.now() + 3000).toISOString()
    const expiring = await createToken(operator, { ...order, partner: 'bare', expiresAt: soon })
    const orphan = await createToken(operator, { ...order, partner: 'leaving' })
    await caughtUp(b)
    const ends = [endless, expiring, orphan].map((issued) => follow(b.url, issued?.secret ?? ''))
    await Promise.all(ends.map(({ begun }) => begun))
    await revokeToken(operator, endless?.token.id ?? '')
    await removePartner(operator, commandLine, 'leaving', () => {})
    for (const { ended } of ends) assert.ok((await ended).endsWith('\r\n0\r\n\r\n'), 'a stream that was cut off')
  })

  test('a stream sends of a facility what the present grants allow', async () => {
    const { a, b, operator } = nodes()
    const stream = await openStream(b, 'bare')
    await rename(a, 'Granted')
    assert.equal((await stream.next()).data.new, 'Granted')
    const only = { facilities: ['chu-nord'], read: [], write: [], rooms: [] }
    await seed(operator, { partners: [{ id: 'bare', grants: [only] }] })
    await rename(a, 'No longer granted')
    await rename(a, 'Still granted', 'chu-nord')
    assert.equal((await stream.next()).data.new, 'Still granted')
    stream.leave()
    await seed(operator, { partners: estate.partners.filter(({ id }) => id === 'bare') })
  })

  test('no event is missed or sent twice while many write on both nodes', async () => {
    const { a, b } = nodes()
    const start = await from(a, 'everything')
    const values = Array.from({ length: 60 }, (_, n) => `Writer ${n}`)
    const stream = await openStream(b, 'everything', {}, `?after=${start}`)
    const facilities = ['lyon-01', 'chu-nord', 'nice-02']
    const writing = Promise.all(
      values.map((value, n) => rename(n % 2 ? a : b, value, facilities[n % facilities.length] as string)),
    )
    const streamed: string[] = []
    while (streamed.length < values.length) streamed.push((await stream.next()).data.new)
    await writing
    stream.leave()
    assert.deepEqual(streamed.toSorted(), values.toSorted())
    const polled = (await allAfter(a, 'everything', start, '&limit=7')).map((event) => event.data.new)
    assert.deepEqual(polled, streamed)
    for (const facility of facilities) {
      const own = (await allAfter(b, 'everything', start)).filter((event) => event.facility === facility)
      for (const [at, event] of own.entries()) assert.equal(event.data.old, own[at - 1]?.data.new ?? event.data.old)
    }
  })

  test('a partner can follow a limited number of times at once', async () => {
    const { b } = nodes()
    const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(b, 'stranger')))
    const refused = await b.ask('GET /v1/events?wait=30', { as: 'stranger' })
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
    assert.equal((await b.ask('GET /v1/events', { as: 'stranger' })).status, 200)
    for (const { leave } of streams) leave()
  })

  test('a node that stops ends the requests that wait', async () => {
    const { a, engine, database } = nodes()
    const leaving = await startAtrium(engine, { database })
    const start = await from(leaving, 'everything')
    const waiting = page(leaving, 'everything', `?after=${start}&wait=30`)
    const stream = await openStream(leaving, 'everything')
    await leaving.stop()
    assert.deepEqual((await waiting).data, [])
    assert.equal((await stream.events.next()).done, true)
    await rename(a, 'Later')
    assert.equal((await allAfter(a, 'everything', start)).length, 1)
  })
})
