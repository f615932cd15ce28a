import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createToken } from '../../src/operations/access/token.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Serving, serve } from '../harness/command.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { seed } from '../harness/seed.ts'
import { Counter, call, release } from './stream.ts'

const count = 12
const names = Array.from({ length: count }, (_, n) => `f-${n}`)
const estate = {
  facilities: names.map((id_external) => ({
    id_external,
    name: 'N 0',
    room_services: true,
    areas: Array.from({ length: 5 }, (_, n) => ({ id: `${n}`, name: `Room ${n}` })),
  })),
  partners: [
    { id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] },
    { id: 'some', name: 'Some', grants: [{ facilities: names, read: '*' }] },
  ],
}
const reads = 3000
const writes = 300

type Summary = { id_external: string; name: string }
type Area = { data_services: Service[] }
type Service = { id: string; code: string }

const numberIn = ({ name }: { name: string }) => Number(name.slice(2))
const newestOf = ({ data_services }: Area) => Math.max(0, ...data_services.map(({ code }) => Number(code)))

for (const engine of engines) {
  describe(`readers during a stream of writes, two processes on one database (${engine})`, () => {
    let database: FreshDatabase
    const tokens: string[] = []
    const nodes: Serving[] = []
    before(async () => {
      database = await migratedDatabase(engine)
      const db = openDatabase(database.url)
      await migrate(db)
      await seed(db, estate)
      for (const partner of ['all', 'some']) {
        const issued = await createToken(db, { partner, name: 'x', expiresAt: null, allowedRanges: [] })
        tokens.push(issued?.secret ?? '')
      }
      await db.close()
      const settings = { ATRIUM_DATABASE: database.url, ATRIUM_RATE_LIMIT: 'off', ATRIUM_LOG: 'warn' }
      nodes.push(...(await Promise.all([serve(settings), serve(settings)])))
    })
    after(async () => {
      release()
      await Promise.all(nodes.map((node) => node.stop()))
      await database.drop()
    })

    test('never get an older state than the one acknowledged before their request', async () => {
      const [a, b] = nodes.map(({ url }) => `${url}/v1`) as [string, string]
      const [all = '', some = ''] = tokens
      const named = names.map(() => new Counter())
      const rooms = names.map(() => new Counter())
      const done = { reads: 0, writes: 0 }
      const goOn = () => done.reads < reads || done.writes < writes

      const readList = async (node: string, token: string) => {
        const checks = named.map((counter, n) => counter.reading(`${node}/facilities, ${n}`))
        const list = await call<Summary[]>('GET', `${node}/facilities/`, token)
        assert.equal(list.length, count)
        for (const one of list) checks[Number(one.id_external.slice(2))]?.(numberIn(one))
      }
      const readOne = async (node: string, token: string, n: number) => {
        const check = (named[n] as Counter).reading(`${node}/facilities/f-${n}`)
        check(numberIn(await call<Summary>('GET', `${node}/facilities/f-${n}`, token)))
      }
      const readAreas = async (node: string, token: string, n: number) => {
        const check = (rooms[n] as Counter).reading(`${node}/facilities/f-${n}/areas`)
        const [first] = await call<Area[]>('GET', `${node}/facilities/f-${n}/areas`, token)
        check(newestOf(first as Area))
      }
      const readRoom = async (node: string, token: string, n: number) => {
        const check = (rooms[n] as Counter).reading(`${node}/areas/f-${n}-0`)
        check(newestOf(await call<Area>('GET', `${node}/areas/f-${n}-0`, token)))
      }
      const readers = [readList, readOne, readOne, readAreas, readAreas, readRoom]

      /** Renames a facility and reads it at once on both nodes. */
      const renamer = async (n: number) => {
        while (goOn()) {
          await named[n]?.write((value) => call('PATCH', `${a}/facilities/f-${n}/name`, all, { value: `N ${value}` }))
          done.writes++
          await Promise.all([readOne(a, all, n), readList(a, some), readOne(b, some, n)])
          done.reads += 3
        }
      }
      /** Adds a service with the next number and deletes the former one. */
      const guest = async (n: number) => {
        const path = `${n % 2 ? a : b}/areas/f-${n}-0/data_services`
        let last: Service | undefined
        while (goOn()) {
          await rooms[n]?.write(async (value) => {
            const body = { value: JSON.stringify([{ code: `${value}` }]) }
            const { services } = await call<{ services: Area }>('POST', path, all, body)
            const added = services.data_services.at(-1)
            if (last) await call('DELETE', `${path}/${last.id}`, all)
            last = added
          })
          done.writes += 2
          await Promise.all([readAreas(a, all, n), readAreas(b, some, n)])
          done.reads += 2
        }
      }
      const reader = async (n: number) => {
        for (let at = n; goOn(); at++) {
          const read = readers[at % readers.length] as typeof readOne
          await read(n % 3 === 0 ? a : b, at % 2 ? all : some, (at * 7) % count)
          done.reads++
        }
      }
      const each = (length: number, work: (n: number) => Promise<void>) => Array.from({ length }, (_, n) => work(n))
      await Promise.all([...each(count, renamer), ...each(6, guest), ...each(12, reader)])
    })
  })
}
