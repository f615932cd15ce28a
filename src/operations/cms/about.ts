import type { Db } from '../../storage/database.ts'
import { migrationsIn } from '../../storage/migrate.ts'

export function aboutDatabase(db: Db) {
  return db.read(async (tx) => ({ engine: tx.transfer.engine, migrations: (await migrationsIn(tx)).applied }))
}
