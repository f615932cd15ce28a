import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

onEachEngine('a contract is tried', {}, (atrium) => {
  let key = ''
  before(async () => {
    key = (await addOperator(atrium(), 'viewer')).key
  })
  const tried = (contract: unknown, samples: unknown) =>
    atrium().ask('POST /cms/v1/contract/check', { as: key, body: { contract, samples } })

  const label = { properties: { label: { type: 'string', maxLength: 3 } }, required: ['label'] }
  const detail = (text: string) => `The partner's contract: ${text}`
  const fault = (pointer: string, text: string) => ({ ok: false, errors: [{ pointer, detail: detail(text) }] })

  test('each sample is told what is wrong with it', async () => {
    const { body } = await tried(label, [{ label: 'abc' }, {}, { label: 'abcd' }])
    const results = [
      { ok: true, errors: [] },
      fault('', "must have required property 'label'"),
      fault('/label', 'must NOT have more than 3 characters'),
    ]
    assert.deepEqual(body, { valid: true, error: null, results })
  })

  test('a contract that cannot be used says why', async () => {
    const { body } = await tried({ type: 'nonsense' }, [{}])
    assert.deepEqual([body.valid, body.results], [false, []])
    assert.match(body.error, /type/)
  })

  const refused: [string, unknown, unknown, string][] = [
    ['more samples than are taken', true, Array(51).fill({}), '/samples'],
    ['a contract that is none', 'text', [], '/contract'],
    ['samples that are none', true, {}, '/samples'],
  ]
  for (const [what, contract, samples, pointer] of refused) {
    test(what, async () => {
      const { body } = await tried(contract, samples)
      assert.deepEqual([body.code, body.errors[0].pointer], ['body_invalid', pointer])
    })
  }

  test('one that would never end is given up, and keeps nobody waiting', async () => {
    const endless = tried({ properties: { code: { pattern: '^(a+)+$' } } }, [{ code: `${'a'.repeat(60)}!` }])
    let isEnded = false
    void endless.then(() => {
      isEnded = true
    })
    assert.equal((await atrium().ask('GET /v1/me', { as: 'ward' })).status, 200)
    assert.equal(isEnded, false, 'others are answered first')
    const { body } = await endless
    assert.deepEqual(
      [body.valid, body.error],
      [false, 'trying the samples was given up: it took longer than 2 seconds'],
    )
  })
})
