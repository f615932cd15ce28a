import { sql } from 'kysely'
import { sandboxPrefix } from '../domain/identifier.ts'

/** Returns an SQL condition that excludes sandboxes. `column` holds ids of partners, or external ids of facilities. */
export function isOutsideSandbox(column: string): string {
  return `substr(${column}, 1, ${sandboxPrefix.length}) <> '${sandboxPrefix}'`
}

/** Like `isOutsideSandbox`, as a condition for the query builder. */
export function whereOutsideSandbox(column: string) {
  return sql<boolean>`${sql.raw(isOutsideSandbox(column))}`
}
