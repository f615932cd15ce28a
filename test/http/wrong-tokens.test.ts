import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../src/domain/refusal.ts'
import { WrongTokens } from '../../src/http/pipeline/wrong-tokens.ts'
import { startAtrium } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'

const wrong = new Refusal('token_invalid', 'wrong')
const codeOf = (counted: WrongTokens, address: string) => (counted.count(wrong, address) as Refusal).code

describe('wrong tokens', () => {
  test('are limited by address, and by network in IPv6', () => {
    const counted = new WrongTokens({ perSecond: 0.001, burst: 2 })
    const codes = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2', '2001:db8::3']
    assert.deepEqual(
      codes.map((address) => codeOf(counted, address)),
      ['token_invalid', 'token_invalid', 'rate_limited', ...Array(3).fill('token_invalid'), 'rate_limited'],
    )
  })

  test('other refusals are not counted', () => {
    const counted = new WrongTokens({ perSecond: 0.001, burst: 1 })
    const missing = new Refusal('token_missing', 'missing')
    for (let n = 0; n < 3; n++) assert.equal(counted.count(missing, '192.0.2.1'), missing)
    assert.equal(codeOf(counted, '192.0.2.1'), 'token_invalid')
  })

  test('above the maximum of addresses, the one that has been quiet longest is evicted', () => {
    const counted = new WrongTokens({ perSecond: 0.001, burst: 1 })
    const many = Array.from({ length: 10_001 }, (_, n) => `10.0.${n >> 8}.${n % 256}`)
    for (const address of many) codeOf(counted, address)
    assert.equal(codeOf(counted, many.at(-1) as string), 'rate_limited')
    assert.equal(codeOf(counted, many[0] as string), 'token_invalid')
  })

  test('are not limited when the limit is off', () => {
    const counted = new WrongTokens(null)
    for (let n = 0; n < 200; n++) assert.equal(codeOf(counted, '192.0.2.1'), 'token_invalid')
  })

  test('get 429 with Retry-After, while a right token from the same address is accepted', async () => {
    const atrium = await startAtrium('sqlite', { settings: { ATRIUM_WRONG_TOKEN_LIMIT: '0.01/s burst 3' } })
    try {
      const ask = (as: string) =>
        atrium.ask('GET /v1/me', { as, headers: { 'x-forwarded-for': `192.0.2.${as.length}` } })
      for (const guess of ['a', 'bb', 'ccc']) assertProblem(await ask(guess), 401, 'token_invalid')
      const refused = await ask('dddd')
      assertProblem(refused, 429, 'rate_limited')
      assert.ok(Number(refused.headers.get('retry-after')) > 1)
      assert.equal((await ask('everything')).status, 200)
    } finally {
      await atrium.stop()
    }
  })
})
