import { type Db, openDatabase } from '../../src/storage/database.ts'

/** Opens a database while a server uses it, for as long as the work takes. */
export async function withDb<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(url)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
