import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { etagOf } from '../../src/domain/representation.ts'
import { Answers } from '../../src/storage/memory/answers.ts'
import type { Shelf } from '../../src/storage/memory/ready-answer.ts'
import { Tags } from '../../src/storage/memory/tags.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { noise } from './noise.ts'
import { plainGet } from './plain-get.ts'

const tag = (text: string) => ({ etag: etagOf(text), length: text.length, body: undefined, encoded: undefined })
const note = (tags: Tags, id: number, text: string) => tags.note(id, etagOf(text), Buffer.from(text))
const entryBytes = 41
const room = (entries: number) => entries * entryBytes

describe('tags', () => {
  test('are found until they are forgotten', () => {
    const tags = new Tags(room(10))
    note(tags, 3, 'three')
    note(tags, 4, 'four!')
    note(tags, 4, 'more than four')
    assert.deepEqual([tags.get(3), tags.get(4), tags.get(5)], [tag('three'), tag('more than four'), undefined])
    tags.forget(3)
    tags.forget(3)
    tags.forget(5)
    assert.deepEqual([tags.get(3), tags.get(4)], [undefined, tag('more than four')])
    assert.deepEqual(tags.figures, { hits: 3, misses: 2, bytes: entryBytes, entries: 1 })
  })

  test('are those of the same body when it is made again, and of no other', () => {
    const tags = new Tags(room(10))
    tags.note(3, etagOf('a mark'), Buffer.from('three'))
    const made = (id: number, text: string) => tags.ofSame(id, Buffer.from(text))
    assert.equal(made(3, 'three'), etagOf('a mark'))
    assert.deepEqual([made(3, 'threE'), made(3, 'three '), made(4, 'three')], [undefined, undefined, undefined])
    tags.forget(3)
    assert.equal(made(3, 'three'), undefined)
    assert.deepEqual([tags.figures.hits, tags.figures.misses], [0, 0])
  })

  test('are told by numbers as high as SQLite and PostgreSQL give in a long life', () => {
    const tags = new Tags(room(10))
    const high = 2 ** 47 + 5
    note(tags, high, 'high')
    assert.deepEqual([tags.get(high), tags.get(high - 2 ** 32)], [tag('high'), undefined])
  })

  test('give way to others in the same place, who are not forgotten with them', () => {
    const tags = new Tags(room(10))
    note(tags, 3, 'three')
    note(tags, 13, 'thirteen')
    tags.forget(3)
    assert.deepEqual([tags.get(3), tags.get(13), tags.figures.entries], [undefined, tag('thirteen'), 1])
  })

  test('have a table that can be had, whatever memory is allowed', () => {
    const tags = new Tags(2 ** 40)
    note(tags, 7, 'seven')
    assert.deepEqual(tags.get(7), tag('seven'))
  })

  test('are none where there is no room for one', () => {
    const tags = new Tags(entryBytes - 1)
    note(tags, 1, 'one')
    tags.forget(1)
    assert.deepEqual([tags.get(1), tags.figures.bytes], [undefined, 0])
  })
})

describe('the tag of an answer', () => {
  const slot = -1
  const shelf = (id: number | string): Shelf => ({ id, answers: 0 })
  const body = (n: number) => JSON.stringify(`${n} ${noise(998)}`.slice(0, 998))
  const wordy = (n: number) => JSON.stringify(`${n}`.padEnd(998))
  const forTwo = () => new Answers(2 * 1160, new Map([[slot, new Tags(room(50))]]))

  for (const [what, of] of Object.entries({ 'its body': body, 'its squeezed body': wordy })) {
    test(`is known when ${what} had to go, or found no place, and not while it is there`, () => {
      const answers = forTwo()
      const shelves = Array.from({ length: 40 }, (_, at) => shelf(at + 1))
      for (const place of shelves) answers.keep(place, slot, of(place.id as number))
      for (const place of shelves) {
        const isThere = answers.get(place, slot) !== undefined
        assert.deepEqual(answers.tagOf(place, slot), isThere ? undefined : tag(of(place.id as number)))
      }
      const { entries } = answers.figures
      assert.ok(of === body ? entries === 2 : entries > 2 && entries < 40, `${entries}`)
    })
  }

  for (const how of ['its slot', 'its shelf', 'another answer'] as const) {
    test(`is forgotten: ${how}`, () => {
      const answers = forTwo()
      const shelves = [1, 2, 3].map(shelf) as [Shelf, Shelf, Shelf]
      for (const place of shelves) answers.keep(place, slot, body(place.id as number))
      const [gone] = shelves
      assert.ok(answers.tagOf(gone, slot))
      if (how === 'its slot') answers.drop(gone, slot)
      else if (how === 'its shelf') answers.drop(gone)
      else answers.keep(gone, slot, body(9))
      const { etag } = answers.get(gone, slot) ?? answers.tagOf(gone, slot) ?? { etag: undefined }
      assert.equal(etag, how === 'another answer' ? etagOf(body(9)) : undefined)
    })
  }

  test('is known only of facilities, in slots that have tags', () => {
    const answers = forTwo()
    for (const place of ['a', 'b', 'c'].map(shelf)) {
      answers.keep(place, slot, body(1))
      assert.equal(answers.tagOf(place, slot), undefined)
    }
    for (const place of [1, 2, 3].map(shelf)) answers.keep(place, 7, body(1))
    assert.equal(answers.tagOf(shelf(1), 7), undefined)
  })
})

const many = (length: number) => Array.from({ length }, (_, n) => n)
const rooms = many(60).map((n) => ({ id: `${n}`, name: `Room ${n}` }))
const numbers = many(10)
const facilities = numbers.map((n) => ({
  id_external: `f-${n}`,
  name: `Facility ${n}`,
  room_services: true,
  areas: rooms,
  areas_autocomplete_list: rooms,
}))
const all = { facilities: '*', read: '*', write: '*', rooms: '*' }
const partners = [
  { id: 'full', name: 'Full', grants: [all] },
  { id: 'narrow', name: 'Narrow', grants: [{ facilities: '*', read: ['type'], write: [], rooms: [] }] },
]
/** For tokens and facilities, and a few bodies. */
const settings = { ATRIUM_MEMORY_BYTES: '60000' }

onEachEngine('a small memory', { estate: { facilities, partners }, settings }, (atrium) => {
  const ask = (path: string, etag?: string, as = 'full', more = {}) => {
    const headers = { ...(etag !== undefined && { 'if-none-match': etag }), ...more }
    return plainGet(`${atrium().url}/v1/facilities/${path}`, atrium().tokens[as] as string, headers)
  }
  const paths = numbers.flatMap((n) => [`f-${n}/areas`, `f-${n}/areas_autocomplete_list`])
  const known = (of: TestAtrium) => of.service.db.memory.figures.tags ?? { hits: 0, misses: 0, bytes: 0, entries: 0 }

  test('knows by their tags that answers which it could not keep have not changed', async () => {
    const tags = new Map<string, string>()
    for (const path of paths) tags.set(path, (await ask(path)).etag)
    const { hits } = known(atrium())
    for (const path of paths) {
      const { status, etag, text } = await ask(path, tags.get(path))
      assert.deepEqual([status, etag, text], [304, tags.get(path), ''])
      const encoded = await ask(path, tags.get(path), 'full', { 'accept-encoding': 'gzip' })
      assert.deepEqual([encoded.status, encoded.etag], [304, tags.get(path)?.replace(/"$/, '.gzip"')])
    }
    assert.ok(known(atrium()).hits - hits >= paths.length)
  })

  test('answers whole what has changed, and who asks with another tag or with none', async () => {
    for (const n of numbers) {
      const before = await ask(`f-${n}/areas`)
      const list = await ask(`f-${n}/areas_autocomplete_list`)
      // Others take the place of its body.
      for (const path of paths) if (!path.startsWith(`f-${n}/`)) await ask(path)
      assert.equal((await ask(`f-${n}/areas`, '"another"')).text, before.text)
      assert.equal((await ask(`f-${n}/areas`)).text, before.text)
      const change = { as: 'full' as const }
      assert.equal((await atrium().ask(`POST /v1/areas/f-${n}-7`, change)).status, 200)
      const after = await ask(`f-${n}/areas`, before.etag)
      assert.deepEqual([after.status, after.text === before.text], [200, false])
      assert.equal((await ask(`f-${n}/areas_autocomplete_list`, list.etag)).status, 304)
      const value = [{ id_external: '1', name: 'One' }]
      const replaced = { ...change, body: { value } }
      assert.equal((await atrium().ask(`PATCH /v1/facilities/f-${n}/areas_autocomplete_list`, replaced)).status, 200)
      assert.equal((await ask(`f-${n}/areas_autocomplete_list`, list.etag)).status, 200)
      assert.equal((await ask(`f-${n}/areas`, after.etag)).status, 304)
    }
  })

  test('tells nobody by a tag what it may not read', async () => {
    for (const path of paths) {
      const { etag } = await ask(path)
      assert.equal((await ask(path, etag, 'narrow')).status, 403)
      assert.equal((await ask(path, '*', 'narrow')).status, 403)
    }
  })
})
