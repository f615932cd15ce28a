import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keepsItsNumbers, parseJson } from '../../src/domain/json.ts'
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

test('whatever JSON can say is read as JSON.parse reads it, or refused for a reason', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 10 }), (text) => {
      const code = codeOf(text)
      if (code === undefined) assert.deepEqual(parseJson(text, source), JSON.parse(text))
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
    assert.ok(keepsItsNumbers(text), text)
  for (const text of ['[9007199254740993]', '{"a":1e999}', '[-12345678901234567890]'])
    assert.ok(!keepsItsNumbers(text), text)
})
