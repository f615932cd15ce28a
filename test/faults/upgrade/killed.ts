import { join } from 'node:path'
import { newId } from '../../../src/domain/identifier.ts'
import type { Db } from '../../../src/storage/database.ts'
import { migrationState } from '../../../src/storage/migrate.ts'
import { longAgo, makeFirstVersion, type OldRows } from '../../cache/first-version.ts'
import { type Engine, type FreshDatabase, freshDatabase } from '../../harness/databases.ts'
import { rowsIn } from '../../harness/rows.ts'
import { withDb } from '../../harness/with-db.ts'
import type { Violation } from '../../torture/harness.ts'
import { runAtrium } from '../../torture/node.ts'
import type { Random } from '../../torture/random.ts'

/** A database of the first version, and its rows after an undisturbed migration. */
export interface Old {
  database: FreshDatabase
  expected: string
  /** The number of statements of the migration, and the one that creates the last table. */
  statements: number
  lastTable: number
}

const service = (code: string) => {
  return { id: newId(), code, label: null, status: 'active', start_at: null, end_at: longAgo, extra: { note: code } }
}
const area = (short: string) => ({
  facility: 1,
  facilityName: 'f',
  short,
  name: short,
  opened_at: longAgo,
  cycle: newId(),
  data_general: [],
  services: [service('a'), service('b')],
})
const rows: OldRows = {
  facilities: [{ id: 1, id_external: 'f', name: 'F', room_services: 1 }],
  areas: [area('1'), area('2')],
  lists: [{ facility: 1, entries: [{ id: '1', name: 'One' }] }],
  keys: [],
  partners: ['p'],
}

export async function makeOld(build: string, engine: Engine): Promise<Old> {
  const database = await freshDatabase(engine)
  await makeFirstVersion(database.url, rows)
  const copy = await database.copy()
  try {
    const { code, printed } = await migrateKilledAt(build, copy.url, 0)
    const [, statements, lastTable] = /carried out (\d+) statements, the last table by (\d+)/.exec(printed) ?? []
    if (code !== 0 || statements === undefined) throw new Error(`the migration failed: ${printed}`)
    return {
      database,
      statements: Number(statements),
      lastTable: Number(lastTable),
      expected: await withDb(copy.url, lastingRows),
    }
  } finally {
    await copy.drop()
  }
}

/** All rows, without the time of the migration itself, from which rooms become due. */
async function lastingRows(db: Db): Promise<string> {
  return JSON.stringify(await rowsIn(db)).replace(/\[\\"next_due_at\\",\\"[^"]*"\]/g, '')
}

/** Kills a migration after one of its statements, lets another start complete it, and compares every row. */
export async function killOnce(build: string, old: Old, at: number): Promise<Violation[]> {
  const copy = await old.database.copy()
  try {
    const { code } = await migrateKilledAt(build, copy.url, at)
    const { applied } = await withDb(copy.url, migrationState)
    const again = await migrateKilledAt(build, copy.url, 0)
    const history = [
      `killed after statement ${at} of ${old.statements} (exit code ${code})`,
      `after it, ${applied.join(', ')} had been applied`,
    ]
    if (again.code !== 0)
      return [{ what: 'a start after a killed migration failed', history: [...history, again.printed] }]
    const found = await withDb(copy.url, lastingRows)
    if (found === old.expected) return []
    return [{ what: 'rows were lost or doubled by a killed migration', history: [...history, found, old.expected] }]
  } finally {
    await copy.drop()
  }
}

/** First in the middle of the work, then at a random statement. */
export function killPlace(random: Random, { statements, lastTable }: Old, isFirst: boolean): number {
  return isFirst ? lastTable : 1 + random.below(statements)
}

function migrateKilledAt(build: string, url: string, at: number) {
  const load = `--import=${join(import.meta.dirname, 'kill-at.ts')}`
  return runAtrium(build, { ATRIUM_DATABASE: url, NODE_OPTIONS: load, KILL_AT: String(at) }, 'migrate')
}
