import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Proxies } from '../../src/http/pipeline/proxies.ts'
import { createToken } from '../../src/operations/access/token.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'

const proxies = new Proxies(['10.0.0.0/8', '2001:db8::/32'])

describe('the address of a request', () => {
  const rows: [when: string, peer: string, forwarded: string | undefined, address: string | undefined][] = [
    ['no proxy is in between', '203.0.113.9', undefined, '203.0.113.9'],
    ['a stranger claims another', '203.0.113.9', '192.0.2.1', '203.0.113.9'],
    ['a proxy names the caller', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['a proxy asks for itself', '10.0.0.1', undefined, '10.0.0.1'],
    ['the caller claims another before the proxy', '10.0.0.1', '198.51.100.7, 192.0.2.1', '192.0.2.1'],
    ['the caller claims to be a proxy', '10.0.0.1', '10.9.9.9, 192.0.2.1', '192.0.2.1'],
    ['two proxies follow one another', '10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the proxy is seen as IPv6', '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['proxy and caller have IPv6', '2001:db8::1', '2001:DB9::7', '2001:DB9::7'],
    ['ports are named', '10.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
    ['ports are named in IPv6', '10.0.0.1', '[2001:db9::7]:4711', '2001:db9::7'],
    ['the proxy names no client', '10.0.0.1', 'unknown', undefined],
    ['the proxy names nonsense', '10.0.0.1', '192.0.2.1, 999.1.1.1', undefined],
    ['the header is empty', '10.0.0.1', '', undefined],
  ]
  for (const [when, remoteAddress, forwarded, address] of rows) {
    test(when, () => {
      const found = proxies.from({ remoteAddress }, { 'x-forwarded-for': forwarded })
      assert.equal(found.remoteAddress, address)
    })
  }

  test('only proxies can say that a request is encrypted', () => {
    const isEncrypted = (remoteAddress: string, proto: string) =>
      proxies.isEncrypted({ remoteAddress }, { 'x-forwarded-proto': proto })
    assert.deepEqual(
      [isEncrypted('10.0.0.1', 'https'), isEncrypted('10.0.0.1', 'http'), isEncrypted('203.0.113.9', 'https')],
      [true, false, false],
    )
  })
})

async function boundToken({ service }: TestAtrium): Promise<string> {
  const order = { partner: 'everything', name: 'bound', expiresAt: null, allowedRanges: ['192.0.2.0/24'] }
  return (await createToken(service.db, order))?.secret ?? ''
}

const paths = ['/v1/facilities/lyon-01', '/v1/me', '/v1/me?x']
const forwarded = (caller: string) => ({ 'x-forwarded-for': `192.0.2.5, ${caller}`, 'x-forwarded-proto': 'https' })

onEachEngine('behind a trusted proxy', { settings: { ATRIUM_TRUSTED_PROXIES: '127.0.0.0/8, ::1' } }, (atrium) => {
  test('allowed addresses apply to the address that the proxy names, cached or not', async () => {
    const as = await boundToken(atrium())
    for (const path of [...paths, ...paths]) {
      const inside = await atrium().ask(`GET ${path}`, { as, headers: forwarded('192.0.2.77') })
      const outside = await atrium().ask(`GET ${path}`, { as, headers: forwarded('203.0.113.9') })
      assert.notEqual(inside.status, 403, path)
      assert.equal(outside.body.code, 'address_not_allowed', path)
      for (const { headers } of [inside, outside]) {
        assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
      }
    }
  })

  test('the audit log has that address', async () => {
    for (const headers of [forwarded('192.0.2.77'), { ...forwarded('192.0.2.77'), 'x-empty': '' }]) {
      await atrium().ask('POST /v1/areas/chu-nord-214', { as: 'everything', headers })
      const rows = await atrium().service.db.read((tx) =>
        tx.query.selectFrom('audit_entry').select('address').where('action', '=', 'room.open').execute(),
      )
      assert.ok(rows.length > 0)
      for (const { address } of rows) assert.equal(address, '192.0.2.77')
    }
  })

  test('/metrics refuses forwarded requests, from any address', async () => {
    const answer = await atrium().ask('GET /metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })
    assert.equal(answer.status, 403)
  })
})

onEachEngine('without a trusted proxy', {}, (atrium) => {
  test('an X-Forwarded-For from the caller itself is ignored', async () => {
    const as = await boundToken(atrium())
    for (const path of paths) {
      const answer = await atrium().ask(`GET ${path}`, { as, headers: forwarded('192.0.2.77') })
      assert.equal(answer.body.code, 'address_not_allowed', path)
      assert.equal(answer.headers.get('strict-transport-security'), null)
    }
  })
})
