import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultsOf } from './reading.ts'

const itemKeys =
  'id, id_external, name, status, type, ssid_public, subscription_url, subscribed, timezone, room_services, address, devices, areas, areas_autocomplete_list'

describe('faults of the file as a whole', () => {
  const nothing = '1: an estate file needs the key "facilities" or "partners", and this has neither'
  const map = '1: an estate file is a map with the keys "facilities" and "partners"'
  const files: Record<string, [string, ...string[]]> = {
    'it is empty': ['', nothing],
    'it holds comments only': ['# nothing\n\n', nothing],
    'it is a list': ['- id_external: a\n', map],
    'it is a JSON list': ['[]', map],
    'it is text': ['hello\n', map],
    'a list has no items and no brackets': [
      'facilities:\npartners: []\n',
      '1: facilities: must be a list; write [] for an empty one',
    ],
    'a list is null in JSON': ['{\n"facilities":\nnull}', '3: facilities: must be a list; write [] for an empty one'],
    'a list is there twice': ['facilities: []\nfacilities: []\n', '2: facilities: is here for the second time'],
    'a list is there twice in JSON': [
      '{"facilities": [],\n"facilities": []}',
      '2: facilities: is here for the second time',
    ],
    'a key at the top is not known': [
      'version: 1\nfacilities: []\n',
      '1: version: is not a known key; known are facilities, partners',
    ],
    'a key at the top is not known in JSON': [
      '{"facilities": [],\n"x": {"a": [1]}}',
      '2: x: is not a known key; known are facilities, partners',
    ],
    'there are two documents': [
      'facilities: []\n---\npartners: []\n',
      '2: an estate file holds one YAML document, and a second one begins here',
    ],
    'facilities have the same ids': [
      'facilities:\n- id_external: a\n  id: 1\n- id_external: a\n- id_external: b\n  id: 1\n',
      '4: facilities[1].id_external: "a" is repeated: the item at line 2 has it',
      '6: facilities[2].id: 1 is repeated: the item at line 2 has it',
    ],
    'partners have the same id': [
      'partners: [{id: a}, {id: a}]',
      '1: partners[1].id: "a" is repeated: the item at line 1 has it',
    ],
    'an item is no map': ['facilities:\n- a\n', `2: facilities[0]: must be a map with the keys ${itemKeys}`],
    'faults are in JSON': [
      '{"facilities": [\n {"id_external": "a",\n  "name": 1,\n  "areas": [\n   {"id": "1"},\n   {"id": "1"}]},\n {"id_external": "b", "x": 1}\n]}',
      '3: facilities[0].name: must be text: write it in quotes, "1"',
      '6: facilities[0].areas[1].id: "1" is repeated',
      `7: facilities[1].x: is not a known key; known are ${itemKeys}`,
    ],
    'a key is repeated in JSON': [
      '{"facilities": [\n{"id_external": "a",\n"id_external": "b"}]}',
      '3: Map keys must be unique',
    ],
    'JSON is cut off': [
      '{"facilities": [\n{"id_external": "a"}',
      '2: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    'JSON is nested too deep': [`{"facilities": [\n${'['.repeat(100_000)}`, '2: this is nested too deep'],
  }
  for (const [when, [text, ...says]] of Object.entries(files)) {
    it(when, async () => assert.deepEqual(await faultsOf(text), says))
  }

  it('stops after twenty faults', async () => {
    const items = Array.from({ length: 50 }, (_, index) => `- {id_external: "${index}", x: 1}`)
    assert.equal((await faultsOf(`facilities:\n${items.join('\n')}\n`)).length, 20)
  })

  it('finds the line of a mistake in a large JSON file', async () => {
    const items = Array.from({ length: 200_000 }, (_, index) => `{"id_external": "f${index}"}`)
    items[150_000] = '{"id_external":\n"f}'
    const [fault] = await faultsOf(`{"facilities": [\n${items.join(',\n')}\n]}\n`)
    assert.equal(fault, '150003: a quote is not closed on this line')
    items[150_000] = '{"id_external": "a",\n"name" "b"}'
    assert.deepEqual(await faultsOf(`{"facilities": [\n${items.join(',\n')}\n]}\n`), [
      '150003: Missing , or : between flow map items',
    ])
  })

  it('refuses a large file that cannot be split, and explains how to write it', async () => {
    const items = Array.from({ length: 200_000 }, (_, index) => `{id_external: "f${index}"}`)
    const [fault] = await faultsOf(`facilities: [\n${items.join(',\n')}\n]\n`)
    assert.match(fault ?? '', /^2: .*at most 4194304 bytes: write "facilities" and "partners" as block lists$/)
  })
})
