import { sql } from 'kysely'
import { sandboxPrefix } from '../domain/identifier.ts'

/** Returns an SQL condition that excludes sandboxes. `column` has partner ids or external facility ids. */
export function isOutsideSandbox(column: string): string {
  return `substr(${column}, 1, ${sandboxPrefix.length}) <> '${sandboxPrefix}'`
}

export function whereOutsideSandbox(column: string) {
  return sql<boolean>`${sql.raw(isOutsideSandbox(column))}`
}
