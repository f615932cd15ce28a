import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import type { EstateItem } from '../../src/domain/estate.ts'
import { estateWriter } from '../../src/estate/write.ts'
import { read } from './reading.ts'

function written(items: EstateItem[], format: 'yaml' | 'json'): string {
  const writer = estateWriter(format)
  return items.map(writer.add).join('') + writer.end()
}

const facility: EstateItem = {
  kind: 'facility',
  facility: {
    id: 7,
    idExternal: 'lyon-01',
    name: "Hôtel d'Ainay & fils",
    status: 'active',
    type: 'hotel',
    ssidPublic: null,
    subscriptionUrl: 'https://portal.example/lyon-01?a=1&b=%20',
    subscribed: true,
    timezone: 'Europe/Paris',
    roomServices: false,
    address: { street: '20 place Bellecour', postal_code: '69002', city: 'Lyon', region: null, country: 'FR' },
    devices: [{ id: 'tv-101', type: 'tv', model: null, serial: '0001', status: 'online', area: '101' }],
    areas: [{ id: '101', name: 'Room 101', dataGeneral: [] }],
    entries: [{ id: '101', name: 'Room 101' }],
  },
}

const partner: EstateItem = {
  kind: 'partner',
  partner: {
    id: 'acme-pms',
    name: 'Acme PMS',
    contract: '{"type":"object","required":["code"]}',
    rateLimit: '5/s burst 50',
    grants: [{ facilities: ['lyon-01'], read: '*', write: ['name'], rooms: [] }],
  },
}

describe('writing an estate file', () => {
  it('writes YAML for people', () => {
    assert.equal(
      written([facility, partner], 'yaml'),
      `facilities:
  - id: 7
    id_external: lyon-01
    name: Hôtel d'Ainay & fils
    status: active
    type: hotel
    ssid_public: null
    subscription_url: https://portal.example/lyon-01?a=1&b=%20
    subscribed: true
    timezone: Europe/Paris
    room_services: false
    address: {street: "20 place Bellecour", postal_code: "69002", city: Lyon, region: null, country: FR}
    devices:
      - {id: tv-101, type: tv, model: null, serial: "0001", status: online, area: "101"}
    areas:
      - {id: "101", name: Room 101, data_general: []}
    areas_autocomplete_list:
      - {id: "101", name: Room 101}
partners:
  - id: acme-pms
    name: Acme PMS
    contract: {type: object, required: [code]}
    rate_limit: "5/s burst 50"
    grants:
      - {facilities: [lyon-01], read: "*", write: [name], rooms: []}
`,
    )
  })

  for (const items of [[], [facility], [partner], [facility, partner]]) {
    for (const format of ['yaml', 'json'] as const) {
      it(`reads ${items.map(({ kind }) => kind).join(' and ') || 'nothing'} back from ${format}`, async () => {
        const { items: found, present } = await read(written(items, format))
        assert.deepEqual(
          found.map(({ line: _line, ...item }) => item),
          items,
        )
        assert.deepEqual(present, { facilities: true, partners: true })
      })
    }
  }

  it('writes JSON', () => {
    const { facilities, partners } = JSON.parse(written([facility, partner], 'json'))
    assert.deepEqual([facilities[0].id_external, partners[0].contract.type], ['lyon-01', 'object'])
  })

  it('reads every text back, by either version of YAML', async () => {
    const odd = [
      '101',
      '1e3',
      '0x1F',
      'yes',
      'No',
      'null',
      '~',
      'true',
      '1:30',
      '2026-11-15',
      ' a',
      'a ',
      'a\nb',
      'a: b',
      'a #b',
      '- a',
      '\u2028',
      '\u0085',
      '\ufeff',
      'é',
      '\u{1f3e8}',
      '"',
      "'",
      '\\',
      '=',
      '<<',
      '',
      'y',
      '.inf',
      '*',
      '&a',
      '!a',
      '%',
      '@',
      '`',
      'x'.repeat(2000),
    ]
    const text = fc
      .oneof(fc.constantFrom(...odd), fc.string({ unit: 'binary' }))
      .filter((one) => one.isWellFormed() && !one.includes('\0'))
    // After a key with a backslash, JSON.parse of V8 returns wrong escaped keys: nodejs/node#63785.
    const key = text.filter((one) => !one.includes('\\') && one !== '__proto__')
    const { any } = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    const note = fc.dictionary(key, any, { maxKeys: 4, noNullPrototype: true })
    const property = fc.asyncProperty(fc.array(note, { maxLength: 3 }), async (dataGeneral) => {
      const wanted = JSON.parse(JSON.stringify(dataGeneral))
      const item: EstateItem = {
        kind: 'facility',
        facility: { idExternal: 'a', areas: [{ id: '1', name: 'x', dataGeneral }] },
      }
      for (const format of ['yaml', 'json'] as const) {
        const file = written([item], format)
        const [found] = (await read(file)).items
        assert.deepEqual(found?.kind === 'facility' && found.facility.areas?.[0]?.dataGeneral, wanted, file)
        for (const version of ['1.1', '1.2'] as const) {
          assert.deepEqual(parse(file, { version, merge: false }).facilities[0].areas[0].data_general, wanted, file)
        }
      }
    })
    await fc.assert(property, { numRuns: 300 })
  })
})
