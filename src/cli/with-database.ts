import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { type Db, databaseFile, openDatabase } from '../storage/database.ts'
import { migrationState } from '../storage/migrate.ts'
import { Failure, openingFailure } from './failure.ts'

/** For commands that need an estate to work on: says what to do when there is none yet. */
export function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  return withMadeDatabase(config, async (db, pending) => {
    if (pending.length > 0) {
      throw new Failure(`the database is not set up for this version (${pending.join(', ')}): run \`atrium migrate\``)
    }
    return work(db)
  })
}

/** The same for a command that also takes a database which waits for migrations. */
export async function withMadeDatabase<T>(config: Config, work: (db: Db, pending: string[]) => Promise<T>): Promise<T> {
  const file = databaseFile(config.database)
  if (file !== undefined && !existsSync(file)) {
    throw new Failure(
      `there is no database at ${file}: run \`atrium migrate\` to make it, or set ATRIUM_DATABASE to the right one`,
    )
  }
  return withOpenDatabase(config, async (db) => {
    const { applied, pending, unknown } = await migrationState(db)
    if (unknown.length > 0) {
      throw new Failure(
        `the database was made by a newer Atrium (${unknown.join(', ')}): run that version or a later one`,
      )
    }
    if (applied.length === 0) throw new Failure('the database is not set up: run `atrium migrate`')
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

function opened(config: Config): Db {
  try {
    return openDatabase(config.database)
  } catch (error) {
    throw openingFailure(error)
  }
}
