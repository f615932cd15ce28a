import type { Db } from '../../src/storage/database.ts'

export interface Entry {
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

/** The journal after this entry, oldest first. */
export function entriesAfter(db: Db, seq: number): Promise<Entry[]> {
  return db.read(async (tx) => {
    const query = tx.query.selectFrom('audit_entry').selectAll().where('seq', '>', seq).orderBy('seq')
    return (await query.execute()).map((row) => ({ ...row, detail: JSON.parse(row.detail) }))
  })
}

export async function lastEntry(db: Db): Promise<number> {
  return (await entriesAfter(db, 0)).at(-1)?.seq ?? 0
}

/** What an entry says, without who said it. */
export type Told = Pick<Entry, 'action' | 'facility' | 'partner' | 'subject' | 'detail'>

export function told({ action, facility, partner, subject, detail }: Entry): Told {
  return { action, facility, partner, subject, detail }
}
