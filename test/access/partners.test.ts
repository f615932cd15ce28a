import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { combineGrants } from '../../src/domain/access/grant.ts'
import { hashSecret } from '../../src/domain/access/token.ts'
import { accessTo, nameList } from '../../src/domain/permission.ts'
import { listVisibleFacilities } from '../../src/operations/facility.ts'
import type { CachedPartner } from '../../src/storage/cached/partner.ts'
import { manualCache } from '../cache/manual-cache.ts'
import { names } from '../harness/grant-names.ts'
import { seed } from '../harness/seed.ts'
import { has } from '../partner/matrix/oracle.ts'
import { facilities, kinds, type Partner, partners, root } from '../partner/matrix/world.ts'
import { facilitiesNamed } from './named.ts'
import { issue, onEachDatabase } from './opened.ts'

const all = [...partners, root]
const places = ['clinic', 'hotel', 'hidden', 'absent']
/** Not in the order of their names. */
const manyNames = ['n5', 'n1', 'n9', 'n3', 'n7']

/** Returns the allowed names by kind, or undefined when the facility is hidden. */
function rightsOn(partner: Partner, facility: string) {
  const isCovered = partner.grants.some((grant) => grant.facilities === '*' || grant.facilities.includes(facility))
  if (!isCovered) return undefined
  return Object.fromEntries(
    kinds.map((kind) => [kind, names[kind].filter((name) => has(partner, facility, kind, name))]),
  )
}

const covers = ({ grants }: Partner, facility: string) => {
  return grants.some((grant) => grant.facilities === '*' || grant.facilities.includes(facility))
}

onEachDatabase('a cached partner', { facilities, partners: all }, (opened) => {
  const partnerOf = async (id: string) => (await opened().db.cache.partners.find(id)) as CachedPartner

  test('has the sum of its grants on each facility', async () => {
    for (const partner of all) {
      const known = await partnerOf(partner.id)
      for (const facility of places) {
        const access = accessTo(known, facility)
        const found = access && { read: [...access.read], write: [...access.write], rooms: [...access.rooms] }
        assert.deepEqual(found, rightsOn(partner, facility), `${partner.id} on ${facility}`)
      }
    }
  })

  test('sees every facility only by a grant on the star', async () => {
    for (const { id, name, grants } of all) {
      const known = await partnerOf(id)
      const isEverywhere = grants.some((grant) => grant.facilities === '*')
      assert.deepEqual([known.id, known.name, known.everywhere !== undefined], [id, name, isEverywhere])
    }
    assert.equal(await opened().db.cache.partners.find('unknown'), undefined)
  })

  test('changes with its grants, and when a facility is removed', async () => {
    const { db } = opened()
    const late = (named: string[], ...more: string[][]) => {
      const grants = [named, ...more].map((facilities) => ({ facilities, read: [], write: [], rooms: [] }))
      return { id: 'late', name: 'Late', grants }
    }
    const many = manyNames.map((id_external) => ({ id_external, name: id_external }))
    await seed(db, { facilities: many, partners: [late(['clinic', ...manyNames], [])] })
    const before = await partnerOf('late')
    assert.deepEqual(facilitiesNamed(before), ['clinic', ...manyNames.toSorted()])
    for (const name of manyNames) assert.ok(accessTo(before, name), name)
    assert.equal(accessTo(before, 'n2'), undefined)
    await seed(db, { facilities, partners: [...all, late(['clinic'])] }, { prune: true })
    await db.cache.ensureFresh()
    assert.deepEqual(facilitiesNamed(await partnerOf('late')), ['clinic'])
  })

  const searches = [
    { limit: undefined, cursor: undefined, status: undefined, q: undefined },
    { limit: 10, cursor: undefined, status: undefined, q: undefined },
    { limit: undefined, cursor: undefined, status: 'active', q: undefined },
    { limit: undefined, cursor: undefined, status: 'closed', q: undefined },
  ]
  for (const search of searches) {
    test(`lists the facilities that it sees, with ${JSON.stringify(search)}`, async () => {
      const { db } = opened()
      for (const partner of all) {
        const answer = await listVisibleFacilities(db, await partnerOf(partner.id), () => search)
        const visible = facilities.filter(({ id_external }) => covers(partner, id_external))
        const expected = visible.map(({ id, id_external, name, status }) => ({ id, id_external, name, status }))
        const shown = 'json' in answer ? answer.json : String(answer.body)
        assert.deepEqual(JSON.parse(shown), search.status === 'closed' ? [] : expected, partner.id)
      }
    })
  }

  test('lists them page by page', async () => {
    const { db } = opened()
    for (const id of ['root', 'adds-up', 'nobody']) {
      const partner = await partnerOf(id)
      const seen: string[] = []
      let cursor: string | undefined
      for (let pages = 0; pages <= facilities.length && (pages === 0 || cursor !== undefined); pages++) {
        const page = await listVisibleFacilities(db, partner, () => ({
          limit: 1,
          cursor,
          status: undefined,
          q: undefined,
        }))
        assert.ok('json' in page)
        const items: { id_external: string }[] = JSON.parse(page.json)
        assert.ok(items.length <= 1)
        seen.push(...items.map(({ id_external }) => id_external))
        cursor = page.next
      }
      const partnerRow = all.find((one) => one.id === id) as Partner
      assert.deepEqual(
        seen,
        facilities.map(({ id_external }) => id_external).filter((facility) => covers(partnerRow, facility)),
      )
    }
  })

  test('is invalidated with its tokens when it changes', async () => {
    const { db } = opened()
    const hash = hashSecret((await issue(db, 'star')).secret)
    const before = await db.cache.tokens.find(hash)
    assert.equal(before?.partner.id, 'star')
    db.cache.invalidatePartner('star')
    assert.equal(db.cache.tokens.get(hash), undefined)
    assert.notEqual(await db.cache.tokens.find(hash), before)
  })
})

describe('a partner that is removed during its lookup is not found', () => {
  test('a token whose partner was removed', async () => {
    const token = { partner_id: 'p', version: 1, name: 't', hash: 'h', expires_at: null, revoked_at: null }
    const { cache, settle } = manualCache((text) =>
      /from token/.test(text) ? [{ ...token, allowed_ranges: '[]' }] : [],
    )
    const found = cache.tokens.find('t')
    await settle()
    assert.equal(await found, undefined)
  })

  test('a room whose facility was removed', async () => {
    const { cache, settle } = manualCache((text) => (/from area/.test(text) ? [{ facility: 'f' }] : []))
    const found = cache.rooms.load('f-1', () => true)
    await settle()
    assert.equal(await found, undefined)
  })
})

describe('the access to a facility is found among many', () => {
  const none = combineGrants([])
  for (const count of [0, 1, 2, 3, 4, 7, 8, 33]) {
    test(`${count} of them`, () => {
      const named = Array.from({ length: count }, (_, at) => `f${String(2 * at + 1).padStart(2, '0')}`)
      const halves = [0, 1].map((rest) => ({
        access: combineGrants([]),
        texts: named.filter((_, at) => at % 2 === rest),
      }))
      const parts = halves.map(({ access, texts }) => ({ access, names: nameList(texts) }))
      for (const everywhere of [undefined, none]) {
        const partner = { named: parts.slice(0, count), everywhere } as unknown as CachedPartner
        for (const [at, name] of named.entries()) assert.equal(accessTo(partner, name), halves[at % 2]?.access, name)
        for (let other = 0; other <= 2 * count; other += 2) {
          assert.equal(accessTo(partner, `f${String(other).padStart(2, '0')}`), everywhere)
        }
      }
    })
  }
})
