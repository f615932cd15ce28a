import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { names } from '../harness/grant-names.ts'
import { seed } from '../harness/seed.ts'
import { has } from '../partner/matrix/oracle.ts'
import { canary, facilities, type Partner, partners, root } from '../partner/matrix/world.ts'
import { allAfter, type Event, starts } from './reading.ts'

const estate = { facilities, partners: [...partners, root] }
const marked = ['type', 'ssid_public', 'subscription_url', 'address', 'devices', 'areas_autocomplete_list']
/** Returns the field of `/v1` that an event is about. */
const fieldOf = ({ type, data }: Event) =>
  type === 'facility.updated'
    ? data.property
    : type === 'autocomplete_list.replaced'
      ? 'areas_autocomplete_list'
      : 'areas'

/** The facilities with another value in every field. */
const changed = facilities.map(({ id, ...facility }) => ({
  ...facility,
  name: `${facility.name} 2`,
  type: 'other',
  ssid_public: 'other',
  subscription_url: 'https://other.example',
  subscribed: false,
  address: { street: 'other' },
  devices: [],
  areas: [{ id: '1', name: 'other' }],
  areas_autocomplete_list: [],
}))

/** Returns the expected events: a field for partners that may read it, the name for all that see the facility. */
function expected(partner: Partner): string[] {
  return facilities
    .flatMap(({ id_external: facility }) => {
      const isSeen = partner.grants.some((grant) => grant.facilities === '*' || grant.facilities.includes(facility))
      const readable = names.read.filter((field) => !/^date_/.test(field) && has(partner, facility, 'read', field))
      const rooms = readable.includes('areas') ? ['areas', 'areas'] : []
      return [...(isSeen ? ['name'] : []), ...readable, ...rooms].map((field) => `${facility} ${field}`)
    })
    .sort()
}

onEachEngine('the events of each partner', { estate }, (atrium) => {
  let from: Map<string, string>
  before(async () => {
    from = await starts(
      atrium(),
      [...partners, root].map(({ id }) => id),
    )
    await seed(atrium().service.db, { facilities: changed })
    for (const { id_external } of facilities) {
      await atrium().ask(`POST /v1/areas/${id_external}-1/`, { as: root.id })
      await atrium().ask(`DELETE /v1/areas/${id_external}-1/`, { as: root.id })
    }
  })

  describe('are what it may read, and nothing else', () => {
    for (const partner of partners) {
      test(partner.id, async () => {
        const events = await allAfter(atrium(), partner.id, from.get(partner.id) ?? '')
        const seen = events.map((event) => `${event.facility} ${fieldOf(event)}`)
        assert.deepEqual(seen.sort(), expected(partner))
        const text = JSON.stringify(events)
        for (const { id_external } of facilities) {
          for (const field of marked.filter((name) => !has(partner, id_external, 'read', name))) {
            assert.ok(!text.includes(canary(id_external, field)), `${field} of ${id_external}`)
          }
        }
      })
    }
  })

  test('a cursor of one partner is none for another, and no two are alike', async () => {
    const [cursor = ''] = [...from.values()]
    const answer = await atrium().ask(`GET /v1/events?after=${cursor}`, { as: root.id })
    assert.equal(answer.body.code, 'parameter_invalid')
    assert.equal(new Set(from.values()).size, from.size)
  })
})
