import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createToken, type RotationOptions, rotateToken } from '../../src/operations/access/token.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'

const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

for (const engine of engines) {
  describe(`a token that was replaced already (${engine})`, () => {
    let database: FreshDatabase
    let db: Db
    before(async () => {
      database = await migratedDatabase(engine)
      db = openDatabase(database.url)
      await migrate(db)
      await db.write(({ query }) => query.insertInto('partner').values({ id: 'p', name: 'P' }).execute())
    })
    after(async () => {
      await db.close()
      await database.drop()
    })

    const create = async (expiresAt: string | null): Promise<string> => {
      const issued = await createToken(db, { partner: 'p', name: 'ci', expiresAt, allowedRanges: [] })
      return issued?.token.id ?? ''
    }
    /** Returns in how many days the new token ends; null for never. */
    const rotate = async (id: string, options: Partial<RotationOptions> = {}): Promise<number | null> => {
      const rotation = await rotateToken(db, id, { graceSeconds: 86_400, ...options })
      assert.ok(typeof rotation === 'object')
      const { createdAt, expiresAt } = rotation.token
      return expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / dayMs)
    }

    test('is replaced by one with its lifetime, not with its grace time', async () => {
      const id = await create(inDays(90))
      assert.deepEqual([await rotate(id), await rotate(id), await rotate(id)], [90, 90, 90])
    })

    test('is replaced by one that never ends if it would not have ended', async () => {
      const id = await create(null)
      assert.deepEqual([await rotate(id), await rotate(id)], [null, null])
    })

    test('is replaced by one with the lifetime that its replacement got', async () => {
      const id = await create(inDays(90))
      assert.deepEqual([await rotate(id, { expiresAt: inDays(30) }), await rotate(id)], [30, 30])
    })
  })
}
