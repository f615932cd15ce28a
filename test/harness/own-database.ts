import { type DatabaseOptions, type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Engine, migratedDatabase } from './databases.ts'

export interface OwnDatabase {
  db: Db
  url: string
  /** Closes and drops it. */
  end(): Promise<void>
}

/** Opens a new database with every table, for one suite. */
export async function ownDatabase(engine: Engine, options?: DatabaseOptions): Promise<OwnDatabase> {
  const { url, drop } = await migratedDatabase(engine)
  const db = openDatabase(url, options)
  await migrate(db)
  return {
    db,
    url,
    end: async () => {
      await db.close()
      await drop()
    },
  }
}
