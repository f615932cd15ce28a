import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { entriesJson, entriesOf } from '../../src/domain/autocomplete-list.ts'
import { bytesOf } from '../../src/domain/bytes.ts'
import { onEachEngine } from '../harness/atrium.ts'

const facility = 'lyon-01'
const path = `/v1/facilities/${facility}/areas_autocomplete_list`
const as = 'everything'
const rooms = (count: number, name = 'Chambre') =>
  Array.from({ length: count }, (_, n) => ({ id: `R${n}`, name: `${name} ${n}, côté cour` }))
const sent = (entries: { id: string; name: string }[]) => ({
  value: entries.map(({ id, name }) => ({ id_external: id, name })),
})
const long = rooms(2000)
const changed = [...rooms(10), { id: 'new', name: 'New' }, ...rooms(2000, 'Suite').slice(10)]

onEachEngine('a long list', {}, (atrium) => {
  const replace = (entries = long, headers = {}) => atrium().ask(`PATCH ${path}`, { as, body: sent(entries), headers })
  const read = () => atrium().ask(`GET ${path}`, { as })
  const stored = () =>
    atrium().service.db.read(async (tx) => {
      const lists = tx.query.selectFrom('autocomplete_list').innerJoin('facility', 'facility.id', 'facility_id')
      return lists.select(['facility_id', 'entries']).where('id_external', '=', facility).executeTakeFirstOrThrow()
    })
  const audited = () =>
    atrium().service.db.read(async (tx) => {
      const entries = tx.query.selectFrom('audit_entry').where('action', '=', 'autocomplete_list.replace')
      const found = await entries.select('detail').orderBy('seq', 'desc').execute()
      return found.map(({ detail }) => JSON.parse(detail))
    })

  beforeEach(() => replace([]))

  test('is stored compressed, and returned as it was sent', async () => {
    const answered = await replace()
    assert.equal(answered.status, 200)
    assert.equal(answered.text, `{"areas_autocomplete_list":${entriesJson(facility, long)}}`)
    const found = await read()
    assert.deepEqual([found.text, found.headers.get('etag')], [answered.text, answered.headers.get('etag')])
    const { entries } = await stored()
    assert.match(entries, /^deflate:/)
    assert.ok(entries.length < answered.text.length / 4, `${entries.length} of ${answered.text.length}`)
    assert.deepEqual(entriesOf(facility, bytesOf(entries)), long)
  })

  test('is searched and read in pages', async () => {
    await replace()
    const { body, headers } = await atrium().ask(`GET ${path}?limit=2&q=1999`, { as })
    assert.deepEqual(body.areas_autocomplete_list, [{ id_external: 'lyon-01-R1999', name: 'Chambre 1999, côté cour' }])
    assert.equal(headers.get('link'), null)
  })

  test('is compared with the one before it, and what changed is in the audit log', async () => {
    await replace()
    await replace(changed)
    const [{ before, after, added, removed, renamed, complete }] = await audited()
    assert.deepEqual([before, after, removed, renamed.length, complete], [2000, 2001, [], 100, false])
    assert.deepEqual(added, [{ id_external: 'lyon-01-new', name: 'New' }])
    assert.deepEqual(renamed[0], {
      id_external: 'lyon-01-R10',
      old: 'Chambre 10, côté cour',
      new: 'Suite 10, côté cour',
    })
  })

  test('that is the same again changes nothing', async () => {
    await replace()
    const { length } = await audited()
    assert.equal((await replace()).status, 200)
    assert.equal((await audited()).length, length)
  })

  test('is replaced only with its ETag when If-Match is sent', async () => {
    const etag = (await replace()).headers.get('etag') ?? ''
    assert.equal((await replace(changed, { 'if-match': '"other"' })).status, 412)
    assert.equal((await replace(changed, { 'if-match': etag })).status, 200)
  })

  test('has a dry run', async () => {
    await replace()
    const { body } = await atrium().ask(`PATCH ${path}?dry_run=true`, { as, body: sent(changed) })
    assert.deepEqual([body.added.length, body.renamed.length, body.complete], [1, 1990, true])
  })

  test('that an older version stored is read and replaced', async () => {
    await replace()
    const { facility_id } = await stored()
    const plain = entriesJson(facility, long)
    await atrium().service.db.write((tx) =>
      tx.query
        .updateTable('autocomplete_list')
        .set({ entries: plain })
        .where('facility_id', '=', facility_id)
        .execute(),
    )
    const { length } = await audited()
    assert.equal((await replace()).status, 200)
    assert.equal((await stored()).entries, plain)
    assert.equal((await audited()).length, length)
    assert.equal((await replace(changed)).status, 200)
    assert.deepEqual((await audited())[0].added, [{ id_external: 'lyon-01-new', name: 'New' }])
    assert.match((await stored()).entries, /^deflate:/)
  })

  test('is not compressed while nodes of an older version may run beside this one', async () => {
    const hourMs = 3_600_000
    const migrated = (name: string, hoursAgo: number) =>
      atrium().service.db.write((tx) => {
        const applied_at = new Date(Date.now() - hoursAgo * hourMs).toISOString()
        return tx.query.updateTable('atrium_migration').set({ applied_at }).where('name', '=', name).execute()
      })
    await migrated('0001-estate', 1000)
    await replace()
    assert.equal((await stored()).entries, entriesJson(facility, long))
    await migrated('0009-packed-lists', 25)
    await replace(changed)
    assert.match((await stored()).entries, /^deflate:/)
  })

  test('becomes a short one again', async () => {
    await replace()
    const { text } = await replace(rooms(1))
    assert.equal((await read()).text, text)
    assert.equal((await stored()).entries, entriesJson(facility, rooms(1)))
  })
})
