import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { databaseFile } from '../../../src/storage/database.ts'
import type { Engine } from '../../harness/databases.ts'
import type { Violation } from '../../torture/harness.ts'

const mark = 'canary-'
/** The setting is one second; a busy machine may need longer. */
const erasedWithinMs = 30_000

/** Searches the database for traces of guests of ended cycles. */
export function leftInDatabase(engine: Engine, url: string): Promise<Violation[]> {
  return engine === 'sqlite' ? leftInFiles(databaseFile(url) as string) : leftInTables(url)
}

/**
 * Both files may contain traces for as long as the setting says; the main file too, if a checkpoint ran while the guest
 * was there.
 */
async function leftInFiles(file: string): Promise<Violation[]> {
  const deadlineMs = performance.now() + erasedWithinMs
  for (;;) {
    const left = [
      ...violationIn('a guest is in the write-ahead log', `${file}-wal`),
      ...violationIn('a guest is in the file of the database', file),
    ]
    if (left.length === 0 || performance.now() > deadlineMs) return left
    await sleep(50)
  }
}

function violationIn(what: string, file: string): Violation[] {
  const found = findIn(file)
  return found === undefined ? [] : [{ what, history: [found] }]
}

function findIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const at = bytes.indexOf(mark)
  return at === -1 ? undefined : `at byte ${at}: ${bytes.toString('latin1', at, at + 60)}`
}

/** Every row of every table, as text. */
async function leftInTables(url: string): Promise<Violation[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const tables = await client.query(`select tablename as name from pg_tables where schemaname = 'public'`)
    const violations: Violation[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`select t::text as row from "${name}" t where t::text like $1 limit 1`, [
        `%${mark}%`,
      ])
      if (rows.length > 0) violations.push({ what: `a guest is in the table ${name}`, history: [rows[0].row] })
    }
    return violations
  } finally {
    await client.end()
  }
}
