import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { databaseFile } from '../../storage/database.ts'
import type { Finding } from '../../storage/engine.ts'
import { type MigrationState, migrationState } from '../../storage/migrate.ts'
import { explain } from '../failure.ts'
import { withOpenDatabase } from '../with-database.ts'

/** Checks the database: its engine, whether commits survive a power failure, and its schema version. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    const file = databaseFile(config.database)
    if (file !== undefined && !existsSync(file)) {
      const advice = 'Run `atrium migrate` to create it, or set ATRIUM_DATABASE to the right one.'
      return [{ check: 'database', ok: false, detail: `there is no database at ${file}`, advice }]
    }
    return await withOpenDatabase(config, async (db) => {
      const state = await migrationState(db)
      return [...(await db.inspect()), schema(state)]
    })
  } catch (error) {
    const advice = 'Check ATRIUM_DATABASE, and that this user may connect and write.'
    return [{ check: 'database', ok: false, detail: explain(error), advice }]
  }
}

function schema({ applied, pending, unknown }: MigrationState): Finding {
  if (unknown.length > 0) {
    const advice = 'Run that version of Atrium, or a later one.'
    return {
      check: 'schema',
      ok: false,
      detail: `created by a newer version of Atrium (${unknown.join(', ')})`,
      advice,
    }
  }
  if (pending.length > 0) {
    return { check: 'schema', ok: false, detail: `${pending.join(', ')} not applied`, advice: 'Run `atrium migrate`.' }
  }
  return { check: 'schema', ok: true, detail: `up to date (${applied.at(-1)})` }
}
