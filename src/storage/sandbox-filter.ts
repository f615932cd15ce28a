import { sql } from 'kysely'
import { sandboxPrefix } from '../domain/identifier.ts'

/**
 * Returns an SQL condition that excludes the rows of sandboxes. `column` is a column of partner ids or of external
 * facility ids.
 */
export function isOutsideSandbox(column: string): string {
  return `substr(${column}, 1, ${sandboxPrefix.length}) <> '${sandboxPrefix}'`
}

/** Like `isOutsideSandbox`, as a condition for the query builder. */
export function whereOutsideSandbox(column: string) {
  return sql<boolean>`${sql.raw(isOutsideSandbox(column))}`
}
