import { countRows, type RowCounts } from '../../domain/backup.ts'
import { plural } from '../output.ts'

const nouns: [table: string, one: string, many?: string][] = [
  ['facility', 'facility', 'facilities'],
  ['area', 'area'],
  ['partner', 'partner'],
  ['token', 'token'],
  ['audit_entry', 'audit entry', 'audit entries'],
]

/** Formats the row counts of a database or backup: of each table that operators know by name, and the sum of all. */
export function formatRowCounts(counts: RowCounts): string {
  const parts = nouns.map(([table, one, many]) => plural(counts[table] ?? 0, one, many))
  return `${parts.join(', ')} (${plural(countRows(counts), 'row')} in all)`
}
