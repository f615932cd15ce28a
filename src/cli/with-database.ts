import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { type Db, databaseFile, openDatabase } from '../storage/database.ts'
import { migrationState } from '../storage/migrate.ts'
import { Failure, openingFailure } from './failure.ts'

export function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  return withExistingDatabase(config, async (db, pending) => {
    if (pending.length > 0) {
      throw new Failure(`the database is not set up for this version (${pending.join(', ')}): run \`atrium migrate\``)
    }
    return work(db)
  })
}

export async function withExistingDatabase<T>(
  config: Config,
  work: (db: Db, pending: string[]) => Promise<T>,
): Promise<T> {
  const file = databaseFile(config.database)
  if (file !== undefined && !existsSync(file)) {
    throw new Failure(
      `there is no database at ${file}: run \`atrium migrate\` to create it, or set ATRIUM_DATABASE to the right one`,
    )
  }
  return withOpenDatabase(config, async (db) => {
    const { applied, pending, unknown } = await migrationState(db)
    if (unknown.length > 0) {
      throw new Failure(
        `the database was created by a newer version of Atrium (${unknown.join(', ')}): run that version or a later one`,
      )
    }
    if (applied.length === 0) throw new Failure('the database is empty: run `atrium migrate` to set it up')
    return work(db, pending)
  })
}

export async function withOpenDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const db = opened(config)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

function opened({ database, databaseReplica: replica }: Config): Db {
  try {
    return openDatabase(database, { ...(replica !== null && { replica }) })
  } catch (error) {
    throw openingFailure(error)
  }
}
