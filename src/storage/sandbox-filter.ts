import { sql } from 'kysely'
import { sandboxPrefix } from '../domain/identifier.ts'

/** SQL that leaves sandboxes out, by a column with the ids of partners or facilities: they are no part of the estate. */
export function isOutsideSandbox(column: string): string {
  return `substr(${column}, 1, ${sandboxPrefix.length}) <> '${sandboxPrefix}'`
}

/** The same for a query that is built. */
export function whereOutsideSandbox(column: string) {
  return sql<boolean>`${sql.raw(isOutsideSandbox(column))}`
}
