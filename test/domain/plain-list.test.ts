import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { draftList } from '../../src/domain/autocomplete-list.ts'
import { bytesOf, textOf } from '../../src/domain/bytes.ts'
import { readPlainList } from '../../src/domain/plain-list.ts'
import type { Refusal } from '../../src/domain/refusal.ts'

const rules = { facility: 'lyon-01', entries: 4, jsonDepth: 5 }
const one = '{"id_external":"1","name":"One"}'
const named = (name: string) => `{"value":[{"id_external":"1","name":"${name}"}]}`
const known = (id: string) => `{"value":[{"id_external":"${id}","name":"One"}]}`

const plain: Record<string, string> = {
  'no entries': '{"value":[]}',
  'one entry': `{"value":[${one}]}`,
  'as many as there may be': `{"value":[${['1', '2', '3', '4'].map(known).map(entryOf).join()}]}`,
  'spaces and lines between all': ` { "value" : [ {\t"id_external" : "1" ,\r\n "name" : "One" } , ${entryOf(known('2'))} ] }\n`,
  'the name first': '{"value":[{"name":"One","id_external":"1"}]}',
  'letters with accents, signs and faces': named('Étage N° 2, côté «cour» 🏥'),
  'a longest id': known('x'.repeat(64)),
  'a longest name': named('x'.repeat(255)),
  'an id that may be a full one': known('lyon-01-1'),
  'an id that is shorter than the prefix': known('lyon'),
}

const notPlain: Record<string, string> = {
  nothing: '',
  'a cut text': `{"value":[${one}`,
  'a text within which it is cut': '{"value":[{"id_external":"1","name":"On',
  'more behind it': `{"value":[${one}]} x`,
  'another key': `{"value":[${one}],"other":1}`,
  'another key of an entry': '{"value":[{"id_external":"1","name":"One","floor":1}]}',
  'an entry without a name': '{"value":[{"id_external":"1"}]}',
  'the same key twice': '{"value":[{"id_external":"1","id_external":"2"}]}',
  'a value that is no array': '{"value":{}}',
  'entries that are no objects': '{"value":[1]}',
  'a comma behind the last': `{"value":[${one},]}`,
  'too many': `{"value":[${['1', '2', '3', '4', '5'].map(known).map(entryOf).join()}]}`,
  'an id that is there twice': `{"value":[${one},{"id_external":"1","name":"Again"}]}`,
  'something escaped': named('O\\u006ee'),
  'an id with a space': known('a b'),
  'an id that is no text': '{"value":[{"id_external":1,"name":"One"}]}',
  'an empty id': known(''),
  'an id that is too long': known('x'.repeat(65)),
  'an empty name': named(''),
  'a name of more bytes than characters may be': named('é'.repeat(200)),
  'a name that is too long': named('x'.repeat(256)),
  'a line within a name': named('One\nTwo'),
  'the last control character of ASCII': named('One\u007f'),
  'one of those behind it': named('One\u0085'),
  'the last of them': named('One\u009f'),
  'a mark of the order of bytes': `\ufeff{"value":[${one}]}`,
}

function entryOf(body: string): string {
  return body.slice('{"value":['.length, -']}'.length)
}

/** The same for whoever reads it, since other keys are ignored; but not plain. */
const disguised = (body: string) => body.replace('{', '{"other":0,')

function outcome(body: string | Uint8Array, given = rules) {
  try {
    const { answer, entries, ...draft } = draftList(typeof body === 'string' ? bytesOf(body) : body, given)
    return { ...draft, answer: textOf(answer), entries: textOf(entries) }
  } catch (error) {
    const { code, message, facts } = error as Refusal
    return { code, message, facts }
  }
}

describe('a list in its plainest form', () => {
  for (const [what, body] of Object.entries(plain)) {
    test(`is read as any other: ${what}`, () => {
      assert.ok(readPlainList(bytesOf(body), rules))
      assert.deepEqual(outcome(body), outcome(disguised(body)))
    })
  }

  for (const [what, body] of Object.entries(notPlain)) {
    test(`is not: ${what}`, () => assert.equal(readPlainList(bytesOf(body), rules), undefined))
  }

  test('is not: bytes that are no UTF-8', () => {
    const body = Buffer.from(named('One'))
    body[body.indexOf('O')] = 0xff
    assert.equal(readPlainList(body, rules), undefined)
  })

  test('is deeper than may be when three levels are too many', () => {
    const body = `{"value":[${one}]}`
    assert.ok(readPlainList(bytesOf(body), { ...rules, jsonDepth: 3 }))
    assert.equal((outcome(body, { ...rules, jsonDepth: 2 }) as Refusal).code, 'body_too_deep')
  })

  test('has ten thousand entries, and not one of them twice', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => `R${n}`)
    const body = (of: string[]) => bytesOf(`{"value":[${of.map(known).map(entryOf).join()}]}`)
    const many = { ...rules, entries: 10_001 }
    assert.equal(readPlainList(body(ids), many)?.count, 10_000)
    assert.equal(readPlainList(body([...ids, 'R7']), many), undefined)
  })

  test('ends as any other, whatever it is', () => {
    const id = fc.oneof(fc.constantFrom('1', '2', 'lyon-01-1', 'lyon-01-', 'a b', ''), fc.string({ maxLength: 66 }))
    const name = fc.oneof(fc.constantFrom('A', 'É', '\u0085', '"', '\\'), fc.string({ unit: 'binary', maxLength: 260 }))
    const entry = fc.oneof(fc.record({ id_external: id, name }), fc.record({ name, id_external: id }), fc.jsonValue())
    const lists = fc.oneof(fc.array(fc.record({ id_external: id, name })), fc.array(entry), fc.jsonValue())
    const spaces = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(lists, spaces, (value, space) => {
        const body = JSON.stringify({ value }, null, space)
        assert.deepEqual(outcome(body), outcome(disguised(body)))
      }),
    )
  })

  test('ends as any other, wherever it is broken', () => {
    const body = `{"value":[${one},{"name":"Étage 2","id_external":"lyon-01-2"}]}`
    const broken = fc.record({
      at: fc.nat(body.length - 1),
      sign: fc.constantFrom('', '"', '\\', '{', ']', ',', ' ', 'é'),
    })
    fc.assert(
      fc.property(broken, ({ at, sign }) => {
        // Not the first sign, without which it could not be disguised.
        const changed = `${body.slice(0, at + 1)}${sign}${body.slice(at + 2)}`
        assert.deepEqual(outcome(changed), outcome(disguised(changed)))
      }),
      { numRuns: 500 },
    )
  })
})
