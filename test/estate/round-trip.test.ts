import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exportToFile } from '../../src/estate/export.ts'
import { exportEstate } from '../../src/operations/estate/export-estate.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { engines, migratedDatabase } from '../harness/databases.ts'
import { estate } from '../harness/estate.ts'
import { apply } from './applying.ts'

const odd = [
  '101',
  '1e3',
  'yes',
  'null',
  'true',
  ' leading',
  'trailing ',
  'é\u0301 \u{1f3e8}',
  'a: b # c',
  "it's",
  '"',
  '- x',
  '2026-11-15',
  '~',
]

/** Uses every key of the estate file, with text that YAML could take for other types. */
const oddEstate = {
  facilities: [
    ...estate.facilities,
    {
      id: 1001,
      id_external: '1e3',
      name: 'yes',
      status: 'null',
      type: 'true',
      ssid_public: ' 101 ',
      subscription_url: 'https://portal.example/?q=%20#no',
      subscribed: true,
      timezone: 'America/Argentina/Buenos_Aires',
      room_services: true,
      address: { street: '1\n2', postal_code: '007', city: ' Lyon', region: 'null', country: 'NO' },
      devices: odd.map((id, index) => ({ id, type: 'tv', model: id, serial: `${index}`, status: 'on', area: null })),
      areas: odd.map((name, index) => ({
        id: `${index} x`,
        name,
        data_general: [{ [name]: [name, index, null, 1.5] }],
      })),
      areas_autocomplete_list: odd.map((name, index) => ({ id: `é${index}`, name })),
    },
  ],
  partners: [
    ...estate.partners,
    {
      id: '0x1F',
      name: 'off',
      contract: { type: 'object', properties: { note: { pattern: '^\\d+\\n$', title: 'a\nb' } } },
      rate_limit: 'off',
      grants: [{ facilities: ['lyon-01', '1e3'], read: ['areas'], write: '*', rooms: ['services'] }],
    },
  ],
}

async function exported(db: Db, format: 'yaml' | 'json'): Promise<string> {
  let text = ''
  for await (const part of await exportToFile(format, (receiver) => exportEstate(db, receiver))) text += part
  return text
}

for (const from of engines) {
  for (const to of engines) {
    describe(`an export of ${from} applied to ${to}`, () => {
      let source: Db
      let target: Db
      const done: (() => Promise<void>)[] = []

      const open = async (engine: typeof from) => {
        const database = await migratedDatabase(engine)
        const db = openDatabase(database.url)
        done.push(() => db.close().then(database.drop))
        await migrate(db)
        return db
      }

      before(async () => {
        source = await open(from)
        target = await open(to)
        await apply(source, oddEstate)
      })
      after(async () => {
        for (const end of done) await end()
      })

      it('holds what was applied', async () => {
        const { facilities, partners } = JSON.parse(await exported(source, 'json')) as typeof oddEstate
        assert.deepEqual(facilities[3], oddEstate.facilities[3])
        assert.deepEqual(partners[0], oddEstate.partners.at(-1))
      })

      for (const format of ['yaml', 'json'] as const) {
        it(`results in the same estate by ${format}`, async () => {
          await apply(target, { facilities: [], partners: [] }, { prune: true })
          await apply(target, await exported(source, format))
          assert.equal(await exported(target, 'yaml'), await exported(source, 'yaml'))
          assert.deepEqual((await apply(source, await exported(target, format), { prune: true })).lines, [])
        })
      }
    })
  }
}
