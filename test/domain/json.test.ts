import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExactly } from '../../src/domain/exact-json.ts'
import { hasExactNumbers, parseJson } from '../../src/domain/json.ts'
import { Refusal } from '../../src/domain/refusal.ts'

const source = { pointer: '', maxDepth: 32, malformed: 'body_not_json' } as const
const codeOf = (text: string) => {
  try {
    parseJson(text, source)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.code
  }
}

test('every JSON text is parsed correctly or refused with a reason', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
      const text = JSON.stringify(value)
      const code = codeOf(text)
      if (code === undefined) assert.equal(JSON.stringify(parseJson(text, source)), text)
      else assert.ok(['text_forbidden', 'key_forbidden'].includes(code))
    }),
  )
})

test('no text makes it throw anything but a refusal', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'[]{}",:\\u0ae1 ') }), (text) => void codeOf(text)))
})

test('a fault is pointed at', () => {
  try {
    parseJson('{"a/b":[1,{"x~y":"\\u0000"}]}', source)
    assert.fail()
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.facts.errors?.[0]?.pointer, '/a~1b/1/x~0y')
  }
})

test('numbers that JavaScript would change are noticed', () => {
  for (const text of ['[1,-2.5,1e10,9007199254740991,0.1]', '"12345678901234567890"'])
    assert.ok(hasExactNumbers(text), text)
  for (const text of ['[9007199254740993]', '{"a":1e999}', '[-12345678901234567890]'])
    assert.ok(!hasExactNumbers(text), text)
})

test('a key is read as it was written, whatever was read before', () => {
  const keys = ['\\', '"', '\n', '\u0041', 'x\\', 'x"', '\t', '\ud83d\udecf', '/', 'plain', '__proto__', '1', 'é\\']
  const written = (key: string, escaped: boolean) =>
    escaped
      ? `"${[...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(key)
  for (const earlier of keys) {
    for (const [at, key] of keys.entries()) {
      if ([...key].length !== key.length) continue
      JSON.parse(`{"a":1,${JSON.stringify(earlier)}:1}`)
      const text = `{"a":1,${written(key, at % 2 === 0)} : {"a":1,${written(key, true)}:[{"a":1,${written(key, false)}:2}]}}`
      const outer = Object.entries(parseExactly(text) as object).find(([name]) => name !== 'a')
      const inner = Object.entries(outer?.[1]).find(([name]) => name !== 'a') as [string, object[]]
      const last = Object.keys(inner[1][0] ?? {}).find((name) => name !== 'a')
      assert.deepEqual([outer?.[0], inner[0], last], [key, key, key], `after ${earlier}: ${text}`)
    }
  }
})

test('two spellings of one key are one key, and what looks like a key in a string is none', () => {
  JSON.parse('{"a":1,"\\\\":1}')
  assert.deepEqual(parseExactly('{"x":1,"\\u0078":2}'), { x: 2 })
  assert.deepEqual(parseExactly('{"a":"\\":1}","\\"" : "b\\\\"}'), { a: '":1}', '"': 'b\\' })
  assert.deepEqual(parseExactly('["\\n","\\\\"]'), ['\n', '\\'])
})

test('escapes do not hide numbers from being looked at, nor strings seem to be numbers', () => {
  JSON.parse('{"a":1,"\\\\":1}')
  assert.ok(hasExactNumbers('[{"a":1,"\\"":9007199254740992,"b":1.5e-7,"\\\\":"1e999 \\"1e999"}]'))
  assert.ok(!hasExactNumbers('{"a":"\\"","b\\"":1e999}'))
})
