import { sql } from 'kysely'
import { sandboxPrefix } from '../domain/identifier.ts'

/** Returns a SQL condition that excludes sandboxes, given a column with ids of partners or facilities. */
export function isOutsideSandbox(column: string): string {
  return `substr(${column}, 1, ${sandboxPrefix.length}) <> '${sandboxPrefix}'`
}

/** Returns the condition of `isOutsideSandbox` for the query builder. */
export function whereOutsideSandbox(column: string) {
  return sql<boolean>`${sql.raw(isOutsideSandbox(column))}`
}
