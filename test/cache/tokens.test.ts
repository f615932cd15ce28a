import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken, type IssuedToken, revokeToken, rotateToken } from '../../src/operations/access/token.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import { type Nodes, onNodes, see } from './nodes.ts'

const reads = [
  'GET /v1/facilities/',
  'GET /v1/facilities/chu-nord/',
  'GET /v1/facilities/chu-nord/areas',
  'GET /v1/areas/chu-nord-214/',
  'GET /v1/me',
]
const writes = ['POST /v1/areas/chu-nord-214/', 'DELETE /v1/areas/chu-nord-215/']

const issue = async ({ operator }: Nodes): Promise<IssuedToken> => {
  const order = { partner: 'ward', name: 'spare', expiresAt: null, allowedRanges: [] }
  return (await createToken(operator, order)) as IssuedToken
}

const statusOf = async (node: Nodes['b'], request: string, as: string) => (await see(node, { as, request })).status

onNodes('a token, on a node that knows it', estate, (nodes) => {
  /** A token whose responses are all cached on the other node. */
  const known = async () => {
    const issued = await issue(nodes())
    for (const request of [...reads, ...reads]) assert.equal(await statusOf(nodes().b, request, issued.secret), 200)
    return issued
  }

  for (const request of [...reads, ...writes]) {
    test(`revoked: ${request} is refused at once`, async () => {
      const { token, secret } = await known()
      await revokeToken(nodes().operator, token.id)
      assert.equal(await statusOf(nodes().b, request, secret), 401)
      assert.equal(await statusOf(nodes().a, request, secret), 401)
    })

    test(`rotated without grace: ${request} is refused to the old token and served to the new one`, async () => {
      const { token, secret } = await known()
      const rotation = await rotateToken(nodes().operator, token.id, { graceSeconds: 0 })
      assert.ok(typeof rotation === 'object')
      assert.equal(await statusOf(nodes().b, request, secret), 401)
      assert.equal(await statusOf(nodes().b, request, rotation.secret), 200)
    })
  }

  test('rotated with grace: both work, and the old one has an end', async () => {
    const { token, secret } = await known()
    const rotation = await rotateToken(nodes().operator, token.id, { graceSeconds: 60 })
    assert.ok(typeof rotation === 'object')
    const { body } = await nodes().b.ask('GET /v1/me', { as: secret })
    assert.equal(body.token.expires_at, rotation.old.expiresAt)
    assert.equal(await statusOf(nodes().b, 'GET /v1/facilities/', rotation.secret), 200)
  })

  test('a cached token expires on time', async () => {
    let statuses: number[] = []
    // If it expired before the second request, the next token gets a longer life.
    for (let lifeMs = 1000; statuses[1] !== 200 && lifeMs < 60_000; lifeMs *= 2) {
      const endsAtMs = Date.now() + lifeMs
      const order = { partner: 'ward', name: 'short', expiresAt: new Date(endsAtMs).toISOString(), allowedRanges: [] }
      const { secret } = (await createToken(nodes().operator, order)) as IssuedToken
      const ask = () => statusOf(nodes().b, 'GET /v1/facilities/', secret)
      statuses = [await ask(), await ask()]
      await sleep(Math.max(0, endsAtMs - Date.now() + 5))
      assert.equal(await ask(), 401)
    }
    assert.deepEqual(statuses, [200, 200])
  })

  test('another secret with the same public id is refused', async () => {
    const { secret } = await known()
    const forged = secret.slice(0, 20) + (secret[20] === 'a' ? 'b' : 'a') + secret.slice(21)
    for (const request of reads) assert.equal(await statusOf(nodes().b, request, forged), 401)
  })

  test('a new one works at once, and the others of its partner go on', async () => {
    const before = await known()
    const { secret } = await issue(nodes())
    for (const request of reads) assert.equal(await statusOf(nodes().b, request, secret), 200)
    assert.equal(await statusOf(nodes().b, 'GET /v1/facilities/', before.secret), 200)
  })

  test('revoked while it is used for the first time: every later request is refused', async () => {
    for (let round = 0; round < 30; round++) {
      const { token, secret } = await issue(nodes())
      const { operator, b } = nodes()
      const early = Array.from({ length: 4 }, (_, n) => statusOf(b, reads[n] as string, secret))
      await sleep(round % 6)
      await revokeToken(operator, token.id)
      const late = [statusOf(b, 'GET /v1/me', secret), statusOf(b, 'GET /v1/facilities/', secret)]
      assert.deepEqual(await Promise.all(late), [401, 401])
      for (const status of await Promise.all(early)) assert.ok(status === 200 || status === 401)
      assert.equal(await statusOf(b, 'GET /v1/facilities/', secret), 401)
    }
  })

  test('is invalidated with its partner', async () => {
    const { secret } = await known()
    const partners = estate.partners.filter(({ id }) => id !== 'ward')
    await seed(nodes().operator, { partners }, { prune: true })
    for (const request of [...reads, ...writes]) assert.equal(await statusOf(nodes().b, request, secret), 401)
    await seed(nodes().operator, estate)
    assert.equal(await statusOf(nodes().b, 'GET /v1/facilities/', secret), 401, 'a partner of the same name is another')
  })
})
