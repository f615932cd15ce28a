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

  test('each sample gets its fault', async () => {
    const { body } = await tried(label, [{ label: 'abc' }, {}, { label: 'abcd' }])
    const results = [
      { ok: true, errors: [] },
      fault('', "must have required property 'label'"),
      fault('/label', 'must NOT have more than 3 characters'),
    ]
    assert.deepEqual(body, { valid: true, error: null, results })
  })

  test('an invalid contract is explained', async () => {
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

  const slowDetail = 'is too slow: some texts of \\d+ characters take more than 0.5 seconds'

  test('a pattern that is far too slow is found without a sample', async () => {
    const { body } = await tried({ properties: { 'a/b': { pattern: '^(a+)+$' } } }, [])
    assert.equal(body.valid, false)
    assert.match(body.error, new RegExp(`^/properties/a~1b/pattern ${slowDetail}`))
  })

  test('samples that take forever time out, and delay no other request', async () => {
    const endless = tried(
      { properties: { code: { pattern: '\\s+$' } } },
      Array(8).fill({ code: `${' '.repeat(120_000)}!` }),
    )
    let isEnded = false
    void endless.then(() => {
      isEnded = true
    })
    assert.equal((await atrium().ask('GET /v1/me', { as: 'ward' })).status, 200)
    assert.equal(isEnded, false, 'other requests end first')
    const { body } = await endless
    assert.deepEqual(
      [body.valid, body.error],
      [false, 'trying the samples was given up: it took longer than 2 seconds'],
    )
  })

  test('a contract that is too slow is not saved, on any route', async () => {
    const admin = (await addOperator(atrium(), 'admin')).key
    const contract = { properties: { text: { pattern: '^(\\w+\\s?)*$' } } }
    const pointer = '/contract/properties/text/pattern'
    for (const [request, body] of [
      ['POST /cms/v1/partners', { id: 'slow', name: 'Slow', contract }],
      ['PATCH /cms/v1/partners/ward', { contract }],
      ['PATCH /cms/v1/partners/ward', { contract: JSON.stringify(contract) }],
    ] as const) {
      const answer = await atrium().ask(request, { as: admin, body })
      assert.deepEqual([answer.body.code, answer.body.errors?.[0].pointer], ['body_invalid', pointer], request)
      assert.match(answer.body.errors[0].detail, new RegExp(slowDetail))
    }
    const file = [
      'partners:',
      '  - id: ward',
      '    contract:',
      '      properties:',
      '        text: {pattern: "^(a+)+$"}',
    ]
    const headers = { 'content-type': 'application/yaml' }
    const { body } = await atrium().ask('POST /cms/v1/import', { as: admin, body: file.join('\n'), headers })
    assert.deepEqual([body.code, body.errors[0].pointer], ['body_invalid', '/5'])
    assert.match(body.errors[0].detail, new RegExp(`partners\\[0\\].contract.properties.text.pattern: ${slowDetail}`))
    assert.equal((await atrium().ask('GET /cms/v1/partners/ward', { as: admin })).body.contract, null)
    const quick = { properties: { text: { pattern: '^[a-z]+$' } } }
    const saved = await atrium().ask('PATCH /cms/v1/partners/ward', { as: admin, body: { contract: quick } })
    assert.deepEqual(saved.body.contract, quick)
  })
})
