import type { Db } from '../../src/storage/database.ts'

export interface AuditRow {
  seq: number
  at: string
  actor_kind: string
  actor: string
  token: string | null
  request_id: string | null
  address: string | null
  action: string
  facility: string | null
  partner: string | null
  subject: string | null
  // biome-ignore lint/suspicious/noExplicitAny: each action has a detail of its own
  detail: any
}

/** Returns the entries of the audit log after this one, oldest first. */
export function entriesAfter(db: Db, seq: number): Promise<AuditRow[]> {
  return db.read(async (tx) => {
    const query = tx.query.selectFrom('audit_entry').selectAll().where('seq', '>', seq).orderBy('seq')
    return (await query.execute()).map((row) => ({ ...row, detail: JSON.parse(row.detail) }))
  })
}

export async function lastEntry(db: Db): Promise<number> {
  return (await entriesAfter(db, 0)).at(-1)?.seq ?? 0
}

/** An entry without its time and actor. */
export type EntryContent = Pick<AuditRow, 'action' | 'facility' | 'partner' | 'subject' | 'detail'>

export function contentOf({ action, facility, partner, subject, detail }: AuditRow): EntryContent {
  return { action, facility, partner, subject, detail }
}
