import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowPattern } from '../../src/domain/room/slow-pattern.ts'

const found = (schema: object) => slowPattern(JSON.stringify(schema))?.path

for (const pattern of [
  '^(a+)+$',
  '^(a|a)*$',
  '(x+x+)+y',
  '^(\\w+\\s?)*$',
  '^([a-c]|[c-e])*$',
  '^(?:[^x]+)+$',
  '^https?://([a-z0-9.]+)+$',
  '^.*.*.*x$',
  '^(a?){50}a{50}$',
  '^(([^,]*,)*)*$',
  '(?=(a+)+$)',
  '^(a|b|ab)*c$',
  '^(?<name>[\\p{L}]+)*-$',
  '^(\\/[a-z]+)*\\/?([a-z]+\\/?)+$',
]) {
  test(`is found to be slow: ${pattern}`, () => {
    assert.deepEqual(found({ properties: { text: { pattern } } }), ['properties', 'text', 'pattern'])
  })
}

for (const pattern of [
  '',
  '^[a-z]+$',
  '\\s+$',
  '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
  '^(tv|net)-[0-9]{1,4}$',
  "^[\\p{L} .'-]{1,64}$",
  '^([a-z0-9]+-)*[a-z0-9]+$',
  '^(?!admin)[a-z/]+$',
  '^(?:25[0-5]|1?\\d?\\d)(?:\\.(?:25[0-5]|1?\\d?\\d)){3}$',
]) {
  test(`is quick enough: ${pattern}`, () => assert.equal(found({ pattern }), undefined))
}

test('patterns are looked for wherever a schema can have one, and nowhere else', () => {
  const slow = { pattern: '^(a+)+$' }
  for (const [schema, path] of [
    [{ allOf: [true, slow] }, ['allOf', 1, 'pattern']],
    [{ $defs: { const: slow } }, ['$defs', 'const', 'pattern']],
    [{ patternProperties: { '^(a+)+$': true } }, ['patternProperties', '^(a+)+$']],
    [{ properties: { pattern: { items: { not: slow } } } }, ['properties', 'pattern', 'items', 'not', 'pattern']],
  ] as const) {
    assert.deepEqual(found(schema), path)
  }
  assert.equal(found({ const: slow, enum: [slow], default: slow, examples: [slow] }), undefined)
  assert.equal(found({ 'x-note': { pattern: '(' } }), undefined)
})

test('a text that can only be short makes a pattern quick', () => {
  assert.equal(found({ maxLength: 12, pattern: '^(a+)+$' }), undefined)
})
