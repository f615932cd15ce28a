import { sql } from 'kysely'
import { sandboxPrefix } from '../domain/identifier.ts'

/** `column` is a column of partner ids or of external facility ids. */
export function isOutsideSandbox(column: string): string {
  return `substr(${column}, 1, ${sandboxPrefix.length}) <> '${sandboxPrefix}'`
}

export function whereOutsideSandbox(column: string) {
  return sql<boolean>`${sql.raw(isOutsideSandbox(column))}`
}
