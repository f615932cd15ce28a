import type { Db } from '../../storage/database.ts'
import { migrationsIn } from '../../storage/migrate.ts'

export interface AboutDatabase {
  /** The display name of the engine. */
  engine: string
  migrations: string[]
}

export function aboutDatabase(db: Db): Promise<AboutDatabase> {
  return db.read(async (tx) => ({ engine: tx.transfer.engine, migrations: (await migrationsIn(tx)).applied }))
}
