import type { Role } from '../../domain/access/operator.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import { storedValuesOf } from '../../domain/audit/audit-detail.ts'
import { facilityUndo } from '../../domain/audit/undo.ts'
import { isSameValue } from '../../domain/estate-difference.ts'
import { isSandboxId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { loadWholeDetail } from '../../storage/audit/audit.ts'
import { findRoot } from '../../storage/audit/audit-root.ts'
import { type AuditFilter, type AuditRow, findAuditEntry, pageOfAudit } from '../../storage/cms/audit.ts'
import { subjectNames } from '../../storage/cms/audit-subjects.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { facilitiesNamed } from '../../storage/estate/estate-facility.ts'
import { existingIds } from '../../storage/request-log.ts'
import { allPages, type Page, searchName } from '../page.ts'
import { decodeLogCursor, logCursor, logPage } from './log-page.ts'
import { planUndo } from './undo/plan.ts'
import type { Undone, UndoPlan } from './undo/undo-plan.ts'

export type { AuditFilter }

export interface AuditItem extends Omit<AuditRow, 'detail'> {
  detail: Record<string, unknown>
  /** The name of the subject as it is now, if the subject has one and still exists. */
  subjectName: string | null
  /** The plan that undoes the change; undefined if it cannot be undone. */
  undo: UndoPlan | undefined
}

interface AuditSearch extends AuditFilter {
  limit: number
  cursor: string | undefined
}

/** Matches the names of actions that only operators carry out, as audit entries contain them. */
const ofOperators = /^(?:operator|key|setting|partner|token|database)\./

/** Adds conditions that follow from the filter, such as the facility of a room, so that an index can be used. */
async function narrowed(tx: Tx, filter: AuditFilter): Promise<AuditFilter> {
  const { actor, action, partner, subject } = filter
  const [, areas] = subject === undefined ? [] : await existingIds(tx, [], [subject])
  const facility = filter.facility ?? areas?.get(subject ?? '')
  const byOperators = actor?.includes('@') || ofOperators.test(action ?? '') || partner !== undefined
  return { ...filter, facility, byOperators }
}

export function findAudit(db: Db, search: AuditSearch): Promise<Page<AuditItem>> {
  const list = searchName('audit', search)
  const after = decodeLogCursor(list, search.cursor)
  return db.readFromReplica(async (tx) => {
    const found = await pageOfAudit(tx, await narrowed(tx, search), after, search.limit + 1)
    const { items, next } = logPage(found, search.limit, logCursor(list))
    return { items: await withUndo(tx, items), next }
  })
}

export async function* auditPages(db: Db, filter: AuditFilter): AsyncGenerator<AuditItem[]> {
  for await (const items of allPages((page) => findAudit(db, { ...filter, ...page }))) {
    const short = items.filter(({ detail }) => storedValuesOf(detail).length === 0)
    if (short.length === items.length) yield items
    // Loads entries with long values one by one, because a whole page of them could need too much memory.
    else for (const item of items) yield [short.includes(item) ? item : await readAudit(db, item.seq)]
  }
}

/**
 * Adds to each entry the plan that undoes it, unless a property that it changed has changed again. Other reasons
 * against an undo are checked only by the request for one entry.
 */
async function withUndo(tx: Tx, rows: AuditRow[]): Promise<AuditItem[]> {
  const nameOf = await subjectNames(tx, rows)
  const items = rows.map((row) => {
    return { ...row, detail: JSON.parse(row.detail) as Record<string, unknown>, subjectName: nameOf(row) }
  })
  const named = new Set(items.flatMap(({ facility }) => (facility === null || isSandboxId(facility) ? [] : [facility])))
  const facilities = await facilitiesNamed(tx, [...named])
  const byId = new Map(facilities.map((facility) => [facility.idExternal, facility]))
  return items.map((item) => {
    const fields = facilityUndo(item.action, item.detail)?.fields ?? []
    const facility = byId.get(item.facility ?? '')
    const isMovedOn = fields.some(({ key, after }) => facility && !isSameValue(key, facility[key], after))
    return { ...item, undo: isMovedOn ? undefined : planOf(item) }
  })
}

function planOf(item: Omit<AuditItem, 'undo'>): UndoPlan | undefined {
  try {
    return planUndo(item, item.detail)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** An audit entry with its long values, which are in a table of their own, and whether its change can be undone now. */
export interface WholeEntry extends AuditItem {
  /** Why the change cannot be undone; undefined if it can. */
  undoRefused: string | undefined
}

export function readAudit(db: Db, seq: number): Promise<WholeEntry> {
  return db.readFromReplica((tx) => wholeEntry(tx, seq))
}

async function wholeEntry(tx: Tx, seq: number): Promise<WholeEntry> {
  const row = await findAuditEntry(tx, seq)
  if (row === undefined) throw new Refusal('audit_entry_not_found', await absence(tx, seq))
  const subjectName = (await subjectNames(tx, [row]))(row)
  const item = { ...row, detail: await loadWholeDetail(tx, row.detail), subjectName }
  try {
    const undo = planUndo(item, item.detail)
    await undo.check(tx)
    return { ...item, undo, undoRefused: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...item, undo: undefined, undoRefused: error.message }
  }
}

async function absence(tx: Tx, seq: number): Promise<string> {
  const { last } = await findRoot({ ask: tx.rows })
  if (last === 0 || seq > last) return 'There is no entry with this number.'
  return 'The entry with this number is older than this installation keeps, and was removed.'
}

/** Undoes the change of an audit entry. Refuses if the same values were changed again since. */
export async function undo(db: Db, actor: Actor, seq: number, requireRole: (least: Role) => void): Promise<Undone> {
  const { detail, ...entry } = await readAudit(db, seq)
  const plan = planUndo(entry, detail)
  requireRole(plan.role)
  return plan.run(db, { ...actor, undoes: seq })
}
