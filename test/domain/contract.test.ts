import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileContract, contractFaults } from '../../src/domain/room/contract.ts'

const faults = (schema: object, item: object) => contractFaults(JSON.stringify(schema), item, '').length

test('a contract that is no schema is refused', () => {
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

test('a property that must not be there is named by the pointer', () => {
  const pointers = (schema: object, item: object) =>
    contractFaults(JSON.stringify(schema), item, '/value/0').map(({ pointer }) => pointer)
  const odd = { 'a/b~c': 1 }
  assert.deepEqual(pointers({ additionalProperties: false }, odd), ['/value/0/a~1b~0c'])
  assert.deepEqual(pointers({ unevaluatedProperties: false }, odd), ['/value/0/a~1b~0c'])
  assert.deepEqual(new Set(pointers({ propertyNames: { maxLength: 2 } }, odd)), new Set(['/value/0/a~1b~0c']))
  assert.deepEqual(pointers({ properties: { in: { additionalProperties: false } } }, { in: { x: 1 } }), [
    '/value/0/in/x',
  ])
})
