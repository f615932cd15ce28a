import type { Db } from '../../src/storage/database.ts'
import type { Tables } from '../../src/storage/tables.ts'

const contents: (keyof Tables)[] = [
  'facility',
  'area',
  'autocomplete_list',
  'partner',
  'partner_grant',
  'partner_grant_facility',
  'idempotency_key',
]

/** Returns everything that partners and operators can change, as one comparable text. */
export function dump(db: Db): Promise<string> {
  return db.read(async (tx) => {
    const tables = []
    for (const table of contents) {
      const rows = await tx.query.selectFrom(table).selectAll().execute()
      tables.push([table, rows.map((row) => JSON.stringify(row)).sort()])
    }
    return JSON.stringify(tables, null, 1)
  })
}
