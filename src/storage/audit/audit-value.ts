import { storedValuesOf, wholeDetail } from '../../domain/audit/audit-detail.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'

const find = statement<{ value: string }>('select value from audit_value where hash = $1')

export async function findAuditValue(tx: Tx, hash: string): Promise<string | undefined> {
  return (await tx.rows(find, hash))[0]?.value
}

/**
 * Parses the detail of an audit entry, and replaces the hashes in it by the long values that they stand for. A value
 * that is missing in the database becomes `{}`.
 */
export async function loadWholeDetail(tx: Tx, json: string): Promise<Record<string, unknown>> {
  const detail = parseExactly(json) as Record<string, unknown>
  const values: string[] = []
  for (const hash of storedValuesOf(detail)) values.push((await findAuditValue(tx, hash)) ?? '{}')
  return wholeDetail(detail, values)
}
