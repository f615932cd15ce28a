import assert from 'node:assert/strict'
import { createToken } from '../../src/operations/access/token.ts'
import { announceExpiringTokens } from '../../src/storage/access/expiring-token.ts'
import { passMoments } from '../../src/storage/service-moment.ts'
import type { TestAtrium } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'
import { seed } from '../harness/seed.ts'

const room = '/v1/areas/chu-nord-214'
const day = '2999-01-01'

/** Causes at least one event of every type, visible to the partner `everything`. */
export async function causeEveryEvent(atrium: TestAtrium): Promise<void> {
  await changeFacilities(atrium)
  await stay(atrium)
  await move(atrium)
  await endToken(atrium)
}

async function done({ ask }: TestAtrium, request: string, body?: object, as = 'everything') {
  const answer = await ask(request, { as, ...(body && { body }) })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function changeFacilities(atrium: TestAtrium): Promise<void> {
  const { key } = await addOperator(atrium, 'admin')
  const areas = [{ id: '1', name: 'One' }]
  await seed(atrium.service.db, { facilities: [{ id_external: 'paris-03', name: 'New', areas }] })
  await seed(atrium.service.db, { facilities: [{ id_external: 'paris-03', areas: [{ id: '2', name: 'Two' }] }] })
  const address = { street: null, postal_code: null, city: 'Lyon', region: null, country: 'FR' }
  const devices = [{ id: 'tv', type: 'tv', area: '2' }]
  const fields = { type: 'office', subscribed: false, ssid_public: null, address, devices, status: 'closed' }
  await done(atrium, 'PATCH /cms/v1/facilities/lyon-01', fields, key)
  await done(atrium, 'PATCH /v1/facilities/lyon-01/name', { value: 'Bellecour' })
  await done(atrium, 'PATCH /v1/facilities/lyon-01/subscription_url', { value: 'https://x.example/' })
  const value = [{ id_external: '2', name: 'Two' }]
  await done(atrium, 'PATCH /v1/facilities/lyon-01/areas_autocomplete_list', { value })
  await done(atrium, 'DELETE /cms/v1/facilities/paris-03', undefined, key)
}

/** A guest arrives, has services that start, change and end, and leaves. */
async function stay(atrium: TestAtrium): Promise<void> {
  const { db } = atrium.service
  await done(atrium, `POST ${room}/`)
  const window = { start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z` }
  const value = JSON.stringify([{ code: 'tv', n: 1, ...window }, { code: 'wifi' }])
  const [tv, wifi] = (await done(atrium, `POST ${room}/data_services`, { value })).services.data_services
  await done(atrium, `PATCH ${room}/data_services/${tv.id}`, { label: 'Television', n: 2 })
  for (const time of ['10:00', '11:00', '12:00']) {
    await db.write((tx) => passMoments(tx, `${day}T${time}:00.000Z`, 3600))
  }
  await done(atrium, `DELETE ${room}/data_services/${wifi.id}`)
  await done(atrium, `DELETE ${room}/`)
  // Services can be added to a closed room, which has no cycle.
  await done(atrium, `POST ${room}/data_services`, { value: '[{"code":"bed"}]' })
  await done(atrium, `DELETE ${room}/`)
}

async function endToken({ service: { db } }: TestAtrium): Promise<void> {
  const expiresAt = `${day}T00:00:00.000Z`
  await createToken(db, { partner: 'everything', name: 'night shift', expiresAt, allowedRanges: [] })
  await db.write((tx) => announceExpiringTokens(tx, '2998-12-31T00:00:00.000Z'))
}

async function move(atrium: TestAtrium): Promise<void> {
  await done(atrium, 'POST /v1/areas/chu-nord-215/')
  await done(atrium, 'POST /v1/areas/chu-nord-215/move', { to: 'chu-nord-216' })
}
