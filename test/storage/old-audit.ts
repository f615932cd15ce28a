import { sql } from 'kysely'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { addMonths, monthOf } from '../../src/domain/audit/audit-export.ts'
import { sealAll } from '../../src/operations/background/seal-audit.ts'
import { recordAudits } from '../../src/storage/audit/audit.ts'
import type { Db } from '../../src/storage/database.ts'
import { allSettled } from '../harness/settled.ts'

/** The month that is so many months ago. */
export function monthsAgo(count: number): string {
  return addMonths(monthOf(new Date().toISOString()), -count)
}

/** A value that is too long for an entry and so is stored in a table of its own. */
export function longValue(letter: string): object {
  return { changes: [{ key: 'contract', before: null, after: letter.repeat(20_000) }] }
}

/** Writes entries of a month that is so many months ago, and seals them. */
export async function recordOld(db: Db, ago: number, count: number, detail: object = {}): Promise<void> {
  await db.write((tx) =>
    recordAudits(
      tx,
      Array.from({ length: count }, (_, n) => ({
        at: `${monthsAgo(ago)}-15T08:30:00.000Z`,
        actor: commandLine,
        action: 'facility.change',
        facility: 'lyon-01',
        partner: null,
        subject: `${ago}-${n}`,
        detail,
      })),
    ),
  )
  await allSettled(db)
  await sealAll(db)
}

export async function countOf(db: Db, table: string, where = '1 = 1'): Promise<number> {
  const count = sql<{ count: number }>`select count(*) as count from ${sql.table(table)} where ${sql.raw(where)}`
  return db.read(async (tx) => Number((await count.execute(tx.query)).rows[0]?.count))
}

/** Runs SQL as a person with access to the database could. */
export async function tamper(db: Db, text: string): Promise<void> {
  await db.write((tx) => sql.raw(text).execute(tx.query))
}
