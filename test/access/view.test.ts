import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { combineGrants, type ReadField } from '../../src/domain/access/grant.ts'
import { facilityView } from '../../src/domain/facility.ts'
import { names } from '../harness/grant-names.ts'

const facility = {
  id: 7,
  idExternal: 'f',
  name: 'F',
  status: 'active',
  type: 'hotel',
  ssidPublic: 'guest',
  subscriptionUrl: 'https://portal.example',
  subscribed: true,
  timezone: 'Europe/Paris',
  roomServices: true,
  address: { street: 's', postal_code: null, city: null, region: null, country: 'FR' },
  devices: [
    { id: 'd', type: 'tv', model: null, serial: null, status: null, area: '1' },
    { id: 'e', type: 'tv', model: null, serial: null, status: null, area: null },
  ],
  dateCreated: '2026-11-15T08:30:00.000Z',
  dateUpdated: '2026-11-15T08:31:00.000Z',
}
const counts = { areas: 3, listEntries: 2 }

const always = { id: 7, id_external: 'f', name: 'F', status: 'active' }
const device = { type: 'tv', model: null, serial: null, status: null }
/** The fields that each name in a grant adds. */
const shown: Record<string, object> = {
  date_created: { date_created: '2026-11-15T08:30:00.000Z' },
  date_updated: { date_updated: '2026-11-15T08:31:00.000Z' },
  ssid_public: { ssid_public: 'guest' },
  address: { address: facility.address },
  subscription_url: { subscription_url: 'https://portal.example' },
  type: { type: 'hotel' },
  subscribed: { subscribed: true },
  devices: {
    devices: [
      { id: 'd', ...device, area_id_external: 'f-1' },
      { id: 'e', ...device, area_id_external: null },
    ],
  },
  areas: { areas_count: 3 },
  areas_autocomplete_list: { areas_autocomplete_list_count: 2 },
}

const viewWith = (read: string[]) => {
  return facilityView(facility, counts, combineGrants([{ read: read as ReadField[], write: '*', rooms: '*' }]))
}

describe('a facility shows what may be read of it', () => {
  test('shows four fields to every partner', () => assert.deepEqual(viewWith([]), always))

  for (const name of names.read) {
    test(`${name} to whom it is granted`, () => assert.deepEqual(viewWith([name]), { ...always, ...shown[name] }))
    test(`all but ${name}`, () => {
      const others = names.read.filter((other) => other !== name)
      assert.deepEqual(viewWith(others), Object.assign({ ...always }, ...others.map((other) => shown[other])))
    })
  }
})
