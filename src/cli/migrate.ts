import type { Config } from '../config.ts'
import { migrate, migrationState } from '../storage/migrate.ts'
import { print, printJson } from './output.ts'
import { withOpenDatabase } from './with-database.ts'

export async function runMigrate(config: Config, options: { json?: boolean }): Promise<number> {
  return withOpenDatabase(config, async (db) => {
    const now = await migrate(
      db,
      ({ name, rows }) => process.stderr.isTTY && process.stderr.write(`\r${name}: ${rows} rows`),
    )
    const { applied } = await migrationState(db)
    if (options.json) printJson({ applied: now, schema: applied.at(-1) })
    else if (now.length === 0) print(`The database is up to date (${applied.at(-1)}).`)
    else print(`Applied ${now.join(', ')}: the database is up to date.`)
    return 0
  })
}
