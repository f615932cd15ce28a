import { type DatabaseOptions, type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Engine, migratedDatabase } from './databases.ts'

export interface OwnDatabase {
  db: Db
  url: string
  /** Closed, and gone. */
  end(): Promise<void>
}

/** A database of its own for one suite, with every table, and opened. */
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
