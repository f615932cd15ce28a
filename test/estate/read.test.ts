import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { read } from './reading.ts'

const example = `facilities:
  - id_external: lyon-01
    name: Hôtel Bellecour
    address: {street: 20 place Bellecour, postal_code: "69002", country: FR}
    devices: [{id: tv-101, type: tv, area: "101"}]
    areas:
      - {id: "101", name: Room 101, data_general: []}
    areas_autocomplete_list:
      - {id: "101", name: Room 101}
partners:
  - id: acme-pms
    name: Acme PMS
    contract: {type: object}
    rate_limit: 5/s burst 50
    grants: [{facilities: [lyon-01], read: "*", write: [name]}]
`

const asRead = {
  present: { facilities: true, partners: true },
  highestFacilityId: 0,
  items: [
    {
      kind: 'facility',
      line: 2,
      facility: {
        idExternal: 'lyon-01',
        name: 'Hôtel Bellecour',
        address: { street: '20 place Bellecour', postal_code: '69002', country: 'FR' },
        devices: [{ id: 'tv-101', type: 'tv', model: null, serial: null, status: null, area: '101' }],
        areas: [{ id: '101', name: 'Room 101', dataGeneral: [] }],
        entries: [{ id: '101', name: 'Room 101' }],
      },
    },
    {
      kind: 'partner',
      line: 11,
      partner: {
        id: 'acme-pms',
        name: 'Acme PMS',
        contract: '{"type":"object"}',
        rateLimit: '5/s burst 50',
        grants: [{ facilities: ['lyon-01'], read: '*', write: ['name'], rooms: [] }],
      },
    },
  ],
}

describe('reading an estate file', () => {
  it('reads the present keys and nothing else', async () => {
    assert.deepEqual(await read(example), asRead)
  })

  it('does not depend on where the chunks end', async () => {
    for (const length of [1, 2, 3, 7, 64]) assert.deepEqual(await read(example, length), asRead, `chunks of ${length}`)
  })

  const a = 'id_external: a'
  const b = 'id_external: b'
  const forms: Record<string, string> = {
    'block lists': `facilities:\n  - ${a}\n  - ${b}\n`,
    'block lists without indentation': `facilities:\n- ${a}\n- ${b}\n`,
    'no line break at the end': `facilities:\n- ${a}\n- ${b}`,
    'Windows line breaks': `facilities:\r\n- ${a}\r\n- ${b}\r\n`,
    'a byte order mark is gone by now, a document start is not': `---\nfacilities:\n- ${a}\n- ${b}\n`,
    'comments and blank lines': `# x\n\nfacilities: # y\n# z\n\n  - ${a} # w\n# v\n\n  - ${b}\n  # u\n`,
    'quoted keys': `"facilities":\n  - ${a}\n  - 'id_external': b\n`,
    'the dash on a line of its own': `facilities:\n  -\n    ${a}\n  -\n    ${b}\n`,
    'a flow list': `facilities: [{${a}}, {${b}}]\n`,
    'a flow list over several lines': `facilities: [\n  {${a}},\n  {${b}},\n]\n`,
    'a flow map': `{facilities: [{${a}}, {${b}}]}`,
    'JSON with a comma too many, which YAML allows': `{"facilities": [{"id_external": "a"}, {"id_external": "b"},]}`,
    'an indented document': `  facilities:\n    - ${a}\n    - ${b}\n`,
    'a document end': `facilities:\n- ${a}\n- ${b}\n...\n`,
    'a directive': `%YAML 1.2\n---\nfacilities:\n- ${a}\n- ${b}\n`,
    JSON: '{"facilities": [{"id_external": "a"}, {"id_external": "b"}]}',
    'pretty JSON': '\n{\n\t"facilities" : [\n\t\t{ "id_external" : "a" } ,\n\t\t{"id_external":"b"}\n\t]\n}\n',
  }
  for (const [form, text] of Object.entries(forms)) {
    it(`reads ${form}`, async () => {
      const { items } = await read(text)
      const ids = items.map((item) => item.kind === 'facility' && item.facility.idExternal)
      assert.deepEqual(ids, ['a', 'b'])
      assert.deepEqual((await read(text, 1)).items, items)
    })
  }

  it('reads text over several lines, and dashes and colons in it', async () => {
    const text = `facilities:
- id_external: a
  areas:
  - id: "1"
    data_general:
    - {note: "one
        two"}
    - note: |
        - not: an item

        facilities:
    - note: >-
        folded
        text
- id_external: b
`
    const [first, second] = (await read(text)).items
    assert.deepEqual(first?.kind === 'facility' && first.facility.areas?.[0]?.dataGeneral, [
      { note: 'one two' },
      { note: '- not: an item\n\nfacilities:\n' },
      { note: 'folded text' },
    ])
    assert.equal(second?.line, 15)
  })

  it('reads anchors and aliases, from one item to another too', async () => {
    const inside = 'facilities:\n- id_external: a\n  areas: [{id: "1", name: &n Room}, {id: "2", name: *n}]\n'
    const across = 'facilities:\n- id_external: a\n  address: &home {country: FR}\n- id_external: b\n  address: *home\n'
    const [item] = (await read(inside)).items
    assert.equal(item?.kind === 'facility' && item.facility.areas?.[1]?.name, 'Room')
    const [, other] = (await read(across)).items
    assert.deepEqual(other?.kind === 'facility' && other.facility.address, { country: 'FR' })
  })

  it('reads partners that stand before their facilities', async () => {
    const { items } = await read(`partners:\n- id: p\n  grants: [{facilities: [a]}]\nfacilities:\n- ${a}\n`)
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['partner', 'facility'],
    )
  })

  it('knows which lists the file has', async () => {
    const none = { highestFacilityId: 0, items: [] }
    assert.deepEqual(await read('facilities: []\n'), { ...none, present: { facilities: true, partners: false } })
    assert.deepEqual(await read('{"partners": []}'), { ...none, present: { facilities: false, partners: true } })
  })

  it('reads the demo estate', async () => {
    const text = await readFile(new URL('../../demo/estate.yaml', import.meta.url), 'utf8')
    assert.ok((await read(text)).items.length > 2)
  })

  it('reads the same from every way to write it', async () => {
    const word = fc.oneof(
      fc.constantFrom('null', 'yes', '1e3', '101', ' a', 'a: b', '- a', '#a'),
      fc.string({ unit: 'grapheme' }),
    )
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        word,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c d', 'null'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).any
    const note = fc.dictionary(fc.constantFrom('a', 'b', 'c d', 'null'), value, { maxKeys: 3, noNullPrototype: true })
    const facility = fc
      .array(note, { maxLength: 3 })
      .map((data_general) => ({ areas: [{ id: '1', name: 'x', data_general }] }))
    const layout = fc.record({
      indent: fc.constantFrom(2, 4),
      indentSeq: fc.boolean(),
      lineWidth: fc.constantFrom(0, 30),
      collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
      blockQuote: fc.constantFrom(true, 'folded' as const, 'literal' as const),
    })
    const property = fc.asyncProperty(
      fc.array(facility, { maxLength: 3 }),
      layout,
      fc.integer({ min: 1, max: 50 }),
      async (parts, options, chunkLength) => {
        const facilities = parts.map((part, index) => ({ id_external: `f${index}`, ...part }))
        const found = await read(stringify({ facilities }, { ...options, aliasDuplicateObjects: false }), chunkLength)
        const json = await read(JSON.stringify({ facilities }), chunkLength)
        const withoutLines = ({ items }: typeof json) => items.map(({ line: _line, ...item }) => item)
        assert.deepEqual(withoutLines(found), withoutLines(json))
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })
})
