import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileContract, contractFaults } from '../../src/domain/contract.ts'

const faults = (schema: object, item: object) => contractFaults(JSON.stringify(schema), item, '').length

test('what is no schema is refused', () => {
  for (const contract of [
    '{"type":"nothing"}',
    '{"$ref":"#/nowhere"}',
    '{"$async":true}',
    '{"$ref":"https://x.example/s"}',
  ]) {
    assert.throws(() => compileContract(contract), contract)
  }
})

test('uniqueItems compares values, not spelling', () => {
  const schema = { properties: { tags: { uniqueItems: true } } }
  assert.equal(faults(schema, { tags: [1, '1', { a: 1, b: 2 }, [1, 2], [2, 1]] }), 0)
  assert.equal(
    faults(schema, {
      tags: [
        { a: 1, b: { c: 1, d: 2 } },
        { b: { d: 2, c: 1 }, a: 1 },
      ],
    }),
    1,
  )
  assert.equal(faults({ properties: { tags: { uniqueItems: false } } }, { tags: [1, 1] }), 0)
})
