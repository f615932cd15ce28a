import { setImmediate as pause } from 'node:timers/promises'
import type { Actor } from '../../domain/audit.ts'
import type { Facility } from '../../domain/facility.ts'
import { isSandboxId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { changesToUndo, isUntouched, putBack } from '../../domain/undo.ts'
import { type AuditFilter, type AuditRow, findAuditEntry, pageOfAudit } from '../../storage/cms/audit.ts'
import type { KeptFacility } from '../../storage/cms/facility.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { facilitiesNamed } from '../../storage/estate-facility.ts'
import { knownPlaces } from '../../storage/request-log.ts'
import { applyFacilities } from '../apply-facilities.ts'
import { changeEstate } from '../change-estate.ts'
import type { Page } from '../page.ts'
import { demandFacility } from './facility.ts'
import { logPage, placeIn } from './log-page.ts'

export type { AuditFilter }

/** An entry of the audit log as operators see it. */
export interface AuditItem extends Omit<AuditRow, 'detail'> {
  detail: Record<string, unknown>
  /** What it changed can be put back with one request. */
  canUndo: boolean
}

export interface AuditSearch extends AuditFilter {
  limit: number
  cursor: string | undefined
}

/** What only operators do, whoever they are. */
const ofOperators = /^(?:operator|key|setting|partner|token|database)\./

/** With all that follows from the filter, so that an index finds as much of it as it can. */
async function narrowed(tx: Tx, filter: AuditFilter): Promise<AuditFilter> {
  const { actor, action, partner, subject } = filter
  const [, areas] = subject === undefined ? [] : await knownPlaces(tx, [], [subject])
  const facility = filter.facility ?? areas?.get(subject ?? '')
  const byOperators = actor?.includes('@') || ofOperators.test(action ?? '') || partner !== undefined
  return { ...filter, facility, byOperators }
}

export function findAudit(db: Db, search: AuditSearch): Promise<Page<AuditItem>> {
  const after = placeIn('audit', search.cursor)
  return db.read(async (tx) => {
    const found = await pageOfAudit(tx, await narrowed(tx, search), after, search.limit + 1)
    const { items, next } = logPage('audit', found, search.limit)
    return { items: await withUndo(tx, items), next }
  })
}

/** All that fits, some at a time: nothing is held for however long it takes to send it. */
export async function* everyAudit(db: Db, filter: AuditFilter): AsyncGenerator<AuditItem[]> {
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await findAudit(db, { ...filter, limit: exportedAtOnce, cursor })
    yield items
    if (next === undefined) return
    cursor = next
    await pause()
  }
}

const exportedAtOnce = 500

async function withUndo(tx: Tx, rows: AuditRow[]): Promise<AuditItem[]> {
  const items = rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Record<string, unknown> }))
  const changed = items.map(({ action, detail }) => changesToUndo(action, detail))
  const named = new Set(
    items.flatMap(({ facility }, at) => {
      return facility && !isSandboxId(facility) && changed[at]?.length ? [facility] : []
    }),
  )
  const facilities = await facilitiesNamed(tx, [...named])
  const byId = new Map(facilities.map((facility) => [facility.idExternal, facility]))
  return items.map((item, at) => {
    const facility = byId.get(item.facility ?? '')
    return { ...item, canUndo: facility !== undefined && isUntouched(facility, changed[at] ?? []) }
  })
}

/** Puts back what an entry changed of a facility, if nothing has changed it since. */
export function undo(db: Db, actor: Actor, seq: number): Promise<KeptFacility> {
  return changeEstate(db, actor, async (application) => {
    const entry = await findAuditEntry(application.tx, seq)
    if (entry === undefined) throw new Refusal('audit_entry_not_found', 'There is no entry with this number.')
    const changes = changesToUndo(entry.action, JSON.parse(entry.detail))
    if (changes.length === 0 || entry.facility === null) {
      throw new Refusal('undo_impossible', 'Only a change of properties of a facility can be put back like this.')
    }
    demandUntouched(await demandFacility(application.tx, entry.facility), changes)
    await applyFacilities(application, [{ kind: 'facility', facility: putBack(entry.facility, changes) }])
    application.faults.settle()
    return demandFacility(application.tx, entry.facility)
  })
}

function demandUntouched(facility: Facility, changes: ReturnType<typeof changesToUndo>): void {
  if (isUntouched(facility, changes)) return
  throw new Refusal('undo_overtaken', 'It has been changed again since: nothing was put back.')
}
