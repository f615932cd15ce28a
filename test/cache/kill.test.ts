import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../../src/operations/access/token.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { serve } from '../harness/command.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { seed } from '../harness/seed.ts'
import { entriesAfter, lastEntry } from './audit-rows.ts'
import { call, release } from './stream.ts'

const rooms = Array.from({ length: 24 }, (_, n) => `${n}`)
const estate = {
  facilities: [{ id_external: 'f', name: 'F', room_services: true, areas: rooms.map((id) => ({ id, name: id })) }],
  partners: [{ id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}
const stormMs = 600

type Area = { data_services: { code: string }[] }

for (const engine of engines) {
  describe(`a node that is killed in a storm of writes (${engine})`, () => {
    let database: FreshDatabase
    let db: Db
    let token = ''
    before(async () => {
      database = await migratedDatabase(engine)
      db = openDatabase(database.url)
      await migrate(db)
      await seed(db, estate)
      const issued = await createToken(db, { partner: 'all', name: 'x', expiresAt: null, allowedRanges: [] })
      token = issued?.secret ?? ''
    })
    after(async () => {
      release()
      await db.close()
      await database.drop()
    })
    const start = () => serve({ ATRIUM_DATABASE: database.url, ATRIUM_RATE_LIMIT: 'off', ATRIUM_LOG: 'warn' })

    test('has stored every acknowledged write with its audit entry, and no write partly', async () => {
      const before = await lastEntry(db)
      const node = await start()
      const acknowledged: string[] = []
      const storm = rooms.map(async (room) => {
        for (let n = 0; n < 900; n++) {
          const code = `${room}-${n}`
          const body = { value: JSON.stringify([{ code }, { code: `${code} too` }]) }
          await call('POST', `${node.url}/v1/areas/f-${room}/data_services`, token, body)
          acknowledged.push(code, `${code} too`)
        }
      })
      const ended = Promise.allSettled(storm)
      while (acknowledged.length < 100) await sleep(10)
      await sleep(stormMs)
      node.child.kill('SIGKILL')
      await Promise.all([once(node.child, 'exit'), ended])

      const again = await start()
      const areas = await call<Area[]>('GET', `${again.url}/v1/facilities/f/areas`, token)
      await again.stop()
      const stored = new Set(areas.flatMap(({ data_services }) => data_services.map(({ code }) => code)))
      const lost = acknowledged.filter((code) => !stored.has(code))
      assert.deepEqual([lost, acknowledged.length > 100], [[], true])
      const entries = await entriesAfter(db, before)
      const written = entries.flatMap(({ detail }) => detail.added.map((one: { code: string }) => one.code))
      assert.deepEqual(written.sort(), [...stored].sort())
    })
  })
}
