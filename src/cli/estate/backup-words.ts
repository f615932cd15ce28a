import { countRows, type RowCounts } from '../../domain/backup.ts'
import { plural } from '../output.ts'

const nouns: [table: string, one: string, many?: string][] = [
  ['facility', 'facility', 'facilities'],
  ['area', 'area'],
  ['partner', 'partner'],
  ['token', 'token'],
  ['audit_entry', 'audit entry', 'audit entries'],
]

export function formatRowCounts(counts: RowCounts): string {
  const parts = nouns.map(([table, one, many]) => plural(counts[table] ?? 0, one, many))
  return `${parts.join(', ')} (${plural(countRows(counts), 'row')} in all)`
}
