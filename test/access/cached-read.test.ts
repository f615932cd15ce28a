import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CachedResponse } from '../../src/cache/response-cache.ts'
import { type CachedKind, cachedRead } from '../../src/operations/access/cached-read.ts'
import { listVisibleAreas } from '../../src/operations/area.ts'
import { readList } from '../../src/operations/autocomplete-list.ts'
import { listVisibleFacilities, readFacility } from '../../src/operations/facility.ts'
import type { CachedPartner } from '../../src/storage/cached/partner.ts'
import { type Cell, verdict } from '../partner/matrix/oracle.ts'
import { facilities, partners, root } from '../partner/matrix/world.ts'
import { onEachDatabase } from './opened.ts'

const whole = () => ({ limit: undefined, cursor: undefined, q: undefined, status: undefined, active_at: undefined })
const path = '/v1/facilities/{facilityExternalId}'
const routes: Record<Exclude<CachedKind, 'facilities'>, string> = {
  facility: `GET ${path}/`,
  areas: `GET ${path}/areas`,
  list: `GET ${path}/areas_autocomplete_list`,
}
const shown = (answer: CachedResponse | undefined) => answer && { etag: answer.etag, body: String(answer.body) }
const targets = ['clinic', 'hotel', 'hidden', 'absent'] as const

onEachDatabase('a cached response', { facilities, partners: [...partners, root] }, (opened) => {
  const partnerOf = async (id: string) => (await opened().db.cache.partners.find(id)) as CachedPartner
  const ready = (partner: CachedPartner, kind: CachedKind, facility = '') => {
    return shown(cachedRead(opened().db.cache, partner, kind, facility) as CachedResponse | undefined)
  }
  const make = async (partner: CachedPartner, kind: CachedKind, facility: string) => {
    const { db } = opened()
    if (kind === 'facility') return shown(await readFacility(db, partner, facility, () => {}))
    const list = kind === 'areas' ? listVisibleAreas : readList
    return shown((await list(db, partner, facility, whole)) as CachedResponse)
  }

  test('is found once it was made, and not before', async () => {
    const partner = await partnerOf('root')
    assert.equal(ready(partner, 'facilities'), undefined)
    const list = await listVisibleFacilities(opened().db, partner, whole)
    assert.deepEqual(ready(partner, 'facilities'), shown(list as CachedResponse))
    for (const kind of ['facility', 'areas', 'list'] as const) {
      for (const facility of ['clinic', 'hotel', 'hidden']) {
        assert.equal(ready(partner, kind, facility), undefined)
        const made = await make(partner, kind, facility)
        assert.deepEqual(ready(partner, kind, facility), made, `${kind} of ${facility}`)
      }
    }
  })

  for (const [kind, route] of Object.entries(routes) as [Exclude<CachedKind, 'facilities'>, string][]) {
    test(`is not returned without permission: ${kind}`, async () => {
      for (const time of ['first', 'second']) {
        for (const row of partners) {
          const partner = await partnerOf(row.id)
          for (const target of targets) {
            const right: Cell = { partner: row, route, target }
            const found = ready(partner, kind, target)
            if (verdict(right).status !== 200) assert.equal(found, undefined, `${row.id} on ${target}, ${time}`)
            else if (time === 'first') await make(partner, kind, target)
            else assert.deepEqual(found, await make(partner, kind, target), `${row.id} on ${target}`)
          }
        }
      }
    })
  }

  test('is shared by partners, and shows each what it may read', async () => {
    const one = await partnerOf('only-read-type')
    const same = await partnerOf('without-read-type')
    const answer = await make(one, 'facility', 'clinic')
    assert.deepEqual(ready(one, 'facility', 'clinic'), answer)
    assert.notDeepEqual(ready(same, 'facility', 'clinic'), answer)
  })
})
