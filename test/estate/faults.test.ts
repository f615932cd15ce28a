import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultsOf } from './reading.ts'

interface Row {
  when: string
  /** The YAML of a facility or partner, without its first lines; it begins on line 3 of the file. */
  facility?: string[]
  partner?: string[]
  /** The expected faults as `line: message`, without the path of the item. */
  says: string[]
}

const itemKeys =
  'id, id_external, name, status, type, ssid_public, subscription_url, subscribed, timezone, room_services, address, devices, areas, areas_autocomplete_list'

const rows: Row[] = [
  { when: 'a key is not known', facility: ['nmae: A'], says: [`3: nmae: is not a known key; known are ${itemKeys}`] },
  {
    when: 'a key pollutes',
    facility: ['__proto__: {a: 1}'],
    says: [`3: __proto__: is not a known key; known are ${itemKeys}`],
  },
  { when: 'a name is a number', facility: ['name: 101'], says: ['3: name: must be text: write it in quotes, "101"'] },
  { when: 'a name is a list', facility: ['name: []'], says: ['3: name: must be text'] },
  { when: 'a name is empty', facility: ['name: " "'], says: ['3: name: The name must be 1 to 255 characters.'] },
  {
    when: 'text holds U+0000',
    facility: ['name: "a\\0"'],
    says: ['3: name: must not contain U+0000 or half a surrogate pair'],
  },
  {
    when: 'text holds half a surrogate pair',
    facility: ['name: "\\ud800"'],
    says: ['3: name: must not contain U+0000 or half a surrogate pair'],
  },
  {
    when: 'a number is no number',
    facility: ['id: "7"'],
    says: ['3: id: must be a whole number from 1 to 4503599627370496'],
  },
  {
    when: 'a number is too large',
    facility: ['id: 9007199254740993'],
    says: ['3: id: must be a whole number from 1 to 4503599627370496'],
  },
  {
    when: 'a status is no word',
    facility: ['status: Active'],
    says: ['3: status: must be a lower-case word: a letter, then up to 31 letters, digits or _'],
  },
  {
    when: 'an SSID is too long',
    facility: [`ssid_public: ${'é'.repeat(17)}`],
    says: ['3: ssid_public: The SSID must be 1 to 32 bytes in UTF-8; this one has 34.'],
  },
  {
    when: 'a URL is none',
    facility: ['subscription_url: portal.example'],
    says: ['3: subscription_url: The URL must be valid, absolute, and begin with http:// or https://.'],
  },
  {
    when: 'a flag is a word',
    facility: ['subscribed: yes', 'room_services: 1'],
    says: ['3: subscribed: must be true or false', '4: room_services: must be true or false'],
  },
  {
    when: 'a time zone does not exist',
    facility: ['timezone: Europe/Lyon'],
    says: ['3: timezone: must be an IANA time zone such as Europe/Paris'],
  },
  {
    when: 'a country is a name',
    facility: ['address:', '  city: Lyon', '  country: France'],
    says: ['5: address.country: must be the two capital letters of ISO 3166-1, such as FR'],
  },
  {
    when: 'an address has another key',
    facility: ['address: {zip: "1"}'],
    says: ['3: address.zip: is not a known key; known are street, postal_code, city, region, country'],
  },
  {
    when: 'a postal code is a number',
    facility: ['address:', '  postal_code: 69002'],
    says: ['4: address.postal_code: must be text: write it in quotes, "69002"'],
  },
  {
    when: 'a list is none',
    facility: ['areas: {}', 'devices: null'],
    says: [
      '3: areas: must be a list; write [] for an empty one',
      '4: devices: must be a list; write [] for an empty one',
    ],
  },
  {
    when: 'devices are wrong',
    facility: ['devices:', '  - {id: a, type: tv}', '  - {id: a, area: a/b}'],
    says: [
      '5: devices[1].area: must not contain "/"',
      '5: devices[1]: needs the key "type"',
      '5: devices[1].id: "a" is repeated',
    ],
  },
  {
    when: 'ids of devices would change a path',
    facility: ['devices:', '  - {id: .., type: tv}', '  - {id: ., type: tv}', '  - {id: ..., type: tv}'],
    says: ['4: devices[0].id: must not be "." or ".."', '5: devices[1].id: must not be "." or ".."'],
  },
  { when: 'an area has no id', facility: ['areas:', '  - name: Room'], says: ['4: areas[0]: needs the key "id"'] },
  {
    when: 'an area is text',
    facility: ['areas:', '  - "101"'],
    says: ['4: areas[0]: must be a map with the keys id, name, data_general'],
  },
  {
    when: 'area ids are wrong',
    facility: ['areas:', '- {id: 101}', '- {id: "1"}', '- {id: " 2"}', '- {id: "1"}', '- {id: "e\\u0301"}'],
    says: [
      '4: areas[0].id: must be text: write it in quotes, "101"',
      '6: areas[2].id: must not begin or end with white space',
      '8: areas[4].id: must be in Unicode NFC',
      '7: areas[3].id: "1" is repeated',
    ],
  },
  {
    when: 'general data is no list of maps',
    facility: ['areas:', '- {id: "1", data_general: {}}', '- {id: "2", data_general: [1]}'],
    says: [
      '4: areas[0].data_general: must be a list; write [] for an empty one',
      '5: areas[1].data_general[0]: must be a map',
    ],
  },
  {
    when: 'general data pollutes',
    facility: [
      'areas:',
      '- id: "1"',
      '  data_general:',
      '  - {a: [{__proto__: 1}]}',
      '  - {constructor: {prototype: 1}}',
      '  - {"\\0": 1}',
    ],
    says: [
      '6: areas[0].data_general[0].a[0].__proto__: is a key that is not accepted',
      '7: areas[0].data_general[1].constructor: is a key that is not accepted',
      '8: areas[0].data_general[2].\0: must not contain U+0000 or half a surrogate pair',
    ],
  },
  {
    when: 'general data cannot be kept',
    facility: [
      'areas:',
      '- id: "1"',
      '  data_general:',
      '  - {a: 9007199254740993}',
      '  - {a: .nan}',
      `  - {a: ${'['.repeat(40)}${']'.repeat(40)}}`,
    ],
    says: [
      '6: areas[0].data_general[0].a: is too large to be kept exactly: write it as text, in quotes',
      '7: areas[0].data_general[1].a: must be a number that JSON can hold',
      `8: areas[0].data_general[2].a${'[0]'.repeat(31)}: is nested deeper than 32 levels`,
    ],
  },
  {
    when: 'entries are wrong',
    facility: ['areas_autocomplete_list:', '  - {id: "1"}', '  - {id: "1", name: ""}', '  - {id: "2", name: b, x: 1}'],
    says: [
      '4: areas_autocomplete_list[0]: needs the key "name"',
      '5: areas_autocomplete_list[1].name: must be a string of 1 to 255 characters',
      '6: areas_autocomplete_list[2].x: is not a known key; known are id, name',
      '5: areas_autocomplete_list[1].id: "1" is repeated',
    ],
  },
  { when: 'a key is there twice', facility: ['name: a', 'name: b'], says: ['4: Map keys must be unique'] },
  { when: 'a quote is not closed', facility: ['name: "a', 'type: hotel'], says: ['5: Missing closing "quote'] },
  {
    when: 'the indentation is wrong',
    facility: ['name: a', '   type: hotel'],
    says: ['3: Nested mappings are not allowed in compact mappings'],
  },
  { when: 'a tag is not known', facility: ['name: !secret a'], says: ['3: Unresolved tag: !secret'] },
  {
    when: 'an alias has no anchor',
    facility: ['name: *nobody'],
    says: ['1: Unresolved alias (the anchor must be set before the alias): nobody'],
  },
  {
    when: 'a partner has another key',
    partner: ['token: x'],
    says: ['3: token: is not a known key; known are id, name, contract, rate_limit, webhooks, grants'],
  },
  {
    when: 'a contract is no schema',
    partner: ['contract:', '  type: nothing'],
    says: [
      '3: contract: is not a usable JSON Schema: schema is invalid: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf',
    ],
  },
  {
    when: 'a contract is text but no JSON',
    partner: ['contract: "{type}"'],
    says: ['3: contract: must be a JSON Schema, as a map or as text that holds its JSON'],
  },
  {
    when: 'a rate limit is not readable',
    partner: ['rate_limit: 5 per second'],
    says: ['3: rate_limit: must be like "100/s burst 1000", or "off"'],
  },
  {
    when: 'a grant names what does not exist',
    partner: [
      'grants:',
      '- {facilities: [a, a], read: [rooms], write: "all", rooms: [open]}',
      '- {facilities: [a/b], reed: "*"}',
      '- {}',
    ],
    says: [
      '4: grants[0].facilities[1]: "a" is repeated',
      '4: grants[0].read[0]: must be one of date_created, date_updated, ssid_public, address, subscription_url, type, subscribed, devices, areas, areas_autocomplete_list',
      '4: grants[0].write: must be "*" or a list out of name, ssid_public, subscription_url, areas_autocomplete_list',
      '4: grants[0].rooms[0]: must be one of open_close, services',
      '5: grants[1].facilities[0]: must be 1 to 64 of A-Z a-z 0-9 . _ -, the first and last a letter or digit',
      '5: grants[1].reed: is not a known key; known are facilities, read, write, rooms',
      '6: grants[2]: needs the key "facilities"',
    ],
  },
]

describe('faults of an estate file are reported with their lines', () => {
  for (const { when, facility, partner, says } of rows) {
    it(when, async () => {
      const [list, id, lines] = facility ? ['facilities', 'id_external', facility] : ['partners', 'id', partner ?? []]
      const text = [`${list}:`, `- ${id}: x`, ...lines.map((line) => `  ${line}`), ''].join('\n')
      const found = await faultsOf(text)
      assert.deepEqual(
        found.map((fault) => fault.replace(/ (?:facilities|partners)\[0\](?:\.|(?=:))/, ' ').replace(/: : /, ': ')),
        says,
      )
    })
  }
})
