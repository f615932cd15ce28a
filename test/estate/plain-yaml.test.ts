import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseDocument } from 'yaml'
import { parsePlainYaml } from '../../src/estate/plain-yaml.ts'
import { scalars } from './yaml-values.ts'

/** Parses with the library. Returns undefined when that finds an error. */
function byLibrary(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true, logLevel: 'error' })
  return document.errors.length > 0 ? undefined : document.toJS()
}

/** The fast parser may return undefined, but never another value than the library. */
function agrees(text: string): void {
  const value = parsePlainYaml(text)
  if (value !== undefined) assert.deepEqual(value, byLibrary(text), JSON.stringify(text))
}

const keys = ['id', 'name', 'data_general', '__proto__', 'null', 'true', 'a-b', '"id"', 'a b', '1']

const scalar = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...scalars) },
  fc.string({ unit: 'grapheme', maxLength: 6 }),
)
const indent = fc.constantFrom('', '  ', '    ', '      ', '   ')
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(indent, fc.constantFrom(...keys), scalar).map(([i, k, v]) => `${i}${k}: ${v}`) },
  { weight: 2, arbitrary: fc.tuple(indent, fc.constantFrom(...keys)).map(([i, k]) => `${i}${k}:`) },
  { weight: 3, arbitrary: fc.tuple(indent, scalar).map(([i, v]) => `${i}- ${v}`) },
  { weight: 2, arbitrary: fc.tuple(indent, fc.constantFrom(...keys), scalar).map(([i, k, v]) => `${i}- ${k}: ${v}`) },
  { weight: 1, arbitrary: fc.tuple(indent, scalar).map(([i, v]) => i + v) },
  { weight: 1, arbitrary: fc.constantFrom('', '  ', '# comment', '   # comment', '---', '...') },
)

const usual = [
  'Room 101',
  '"101"',
  "'x'",
  '7',
  'null',
  'true',
  '[]',
  '{a: 1, b: "c"}',
  '[x, {y: z}]',
  'https://a.example/b',
]

/** Generates the lines of a map of values, lists and maps. */
const { map: nestedMap } = fc.letrec<{ map: string[]; list: string[] }>((tie) => {
  const deeper = (by: string) => (lines: string[]) => lines.map((one) => by + one)
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...usual).map((one) => [` ${one}`]) },
    { weight: 1, arbitrary: tie('map').map((lines) => ['', ...deeper('  ')(lines)]) },
    {
      weight: 1,
      arbitrary: tie('list')
        .chain((lines) => fc.constantFrom(lines, deeper('  ')(lines)))
        .map((lines) => ['', ...lines]),
    },
  )
  const item = fc.oneof(
    fc.constantFrom(...usual).map((one) => [one]),
    tie('map'),
  )
  const pairs = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'id', 'name'), { minLength: 1, maxLength: 3 })
  return {
    map: pairs.chain((names) =>
      fc
        .tuple(...names.map((name) => value.map(([first, ...rest]) => [`${name}:${first}`, ...rest])))
        .map((all) => all.flat()),
    ),
    list: fc
      .array(item, { minLength: 1, maxLength: 3 })
      .map((items) => items.flatMap(([first, ...rest]) => [`- ${first}`, ...rest.map((one) => `  ${one}`)])),
  }
})

const change = fc.record({
  at: fc.nat(200),
  remove: fc.nat(2),
  insert: fc.constantFrom(
    '',
    ' ',
    '  ',
    '\n',
    ':',
    ': ',
    '- ',
    '#',
    ' #',
    ',',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    '&',
    '*',
    '!',
    '|',
    '\u00a0',
    '\t',
  ),
})

function changed(text: string, { at, remove, insert }: { at: number; remove: number; insert: string }): string {
  const place = at % (text.length + 1)
  return text.slice(0, place) + insert + text.slice(place + remove)
}

describe('the fast parser of plain YAML', () => {
  it('reads what estates are written in', () => {
    const text = [
      '  - id_external: lyon-01',
      '    name: Hôtel n° 5',
      '    # a comment',
      '    subscription_url: https://portal.example/lyon-01',
      '    subscribed: true',
      '    id: 7',
      '    address: {street: 20 place Bellecour, postal_code: "69002", region: null}',
      '    areas:',
      '',
      '      - {id: "101", name: Room 101, data_general: []}',
      '      - id: "102"',
      "        name: 'It''s here'",
      '    devices:',
      '    - {id: tv}',
    ].join('\r\n')
    assert.deepEqual(parsePlainYaml(text), [
      {
        id_external: 'lyon-01',
        name: 'Hôtel n° 5',
        subscription_url: 'https://portal.example/lyon-01',
        subscribed: true,
        id: 7,
        address: { street: '20 place Bellecour', postal_code: '69002', region: null },
        areas: [
          { id: '101', name: 'Room 101', data_general: [] },
          { id: '102', name: "It's here" },
        ],
        devices: [{ id: 'tv' }],
      },
    ])
  })

  it('agrees with the library on every value, in a block and in a flow', () => {
    for (const value of scalars) {
      agrees(`key: ${value}\n`)
      agrees(`- ${value}\n`)
      agrees(`key: [${value}]\n`)
      agrees(`key: {a: ${value}, b: 1}\n`)
      agrees(`key: ${value}\n  more\n`)
    }
  })

  it('agrees with the library on random lines', () => {
    const text = fc.array(line, { minLength: 1, maxLength: 7 }).map((lines) => `${lines.join('\n')}\n`)
    fc.assert(fc.property(text, agrees), { numRuns: 5000 })
  })

  it('reads nested maps and lists as the library does', () => {
    const read = (lines: string[]) => assert.deepEqual(parsePlainYaml(lines.join('\n')), byLibrary(lines.join('\n')))
    fc.assert(fc.property(nestedMap, read), { numRuns: 500 })
  })

  it('agrees with the library when a character is changed somewhere', () => {
    const spoilt = fc.property(nestedMap, fc.array(change, { maxLength: 2 }), (lines, changes) =>
      agrees(changes.reduce(changed, lines.join('\n'))),
    )
    fc.assert(spoilt, { numRuns: 2000 })
  })

  it('returns undefined when something is nested too deep', () => {
    assert.equal(parsePlainYaml(`- ${'['.repeat(100_000)}`), undefined)
  })
})
