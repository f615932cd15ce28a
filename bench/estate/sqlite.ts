import { constants, copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cached } from './cache.ts'
import type { Databases, MakeOptions } from './databases.ts'
import { fill } from './fill.ts'

export async function sqliteDatabases({ estate, estateFile, folder, say }: MakeOptions): Promise<Databases> {
  const {
    folder: kept,
    made,
    madeNow,
  } = await cached('sqlite', estate, async (target) => {
    say('makes the estate on SQLite')
    return fill(`sqlite:${join(target, 'estate.db')}`, estate, await estateFile(), join(folder, 'apply.log'))
  })
  return {
    engine: 'sqlite',
    version: sqliteVersion(),
    made,
    madeNow,
    megabytes: async () => statSync(join(kept, 'estate.db')).size / 2 ** 20,
    copy: async (name) => {
      const path = join(folder, `${name}.db`)
      copyFileSync(join(kept, 'estate.db'), path, constants.COPYFILE_FICLONE)
      return `sqlite:${path}`
    },
    empty: async (name) => `sqlite:${join(folder, `${name}.db`)}`,
    stop: async () => {},
  }
}

function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:')
  const row = database.prepare('select sqlite_version() as version').get()
  database.close()
  return `SQLite ${row?.version}`
}
