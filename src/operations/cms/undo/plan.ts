import type { PartnerWithGrants } from '../../../domain/access/partner.ts'
import { facilityUndo, type UndoDetail, undoRules } from '../../../domain/audit/undo.ts'
import { isSandboxId } from '../../../domain/identifier.ts'
import type { AuditRow } from '../../../storage/cms/audit.ts'
import type { FacilityOverview } from '../../../storage/cms/facility.ts'
import { changeEstate } from '../../estate/change-estate.ts'
import type { EstateContext } from '../../estate/estate-context.ts'
import { assertFacilityUnchanged, undoInFacility } from './facility.ts'
import * as partners from './partner.ts'
import * as others from './settings.ts'
import { type Undone, type UndoPlan, type UndoSteps, undoImpossible } from './undo-plan.ts'
import * as facilities from './whole-facility.ts'

type Entry = Pick<AuditRow, 'action' | 'facility' | 'partner' | 'subject'>

const tooOld = 'This entry does not say all that it changed: it was written by an earlier version.'

/** Returns the plan that undoes an audit entry. Refuses entries whose kind can never be undone. */
export function planUndo(entry: Entry, detail: UndoDetail): UndoPlan {
  const rule = undoRules[entry.action as keyof typeof undoRules]
  if ('never' in rule) throw undoImpossible(rule.never)
  if (isSandboxId(entry.facility ?? entry.partner ?? ''))
    throw undoImpossible('A sandbox is restored only as a whole: reset it.')
  const steps = stepsOf(entry, detail)
  if (steps === undefined) throw undoImpossible(tooOld)
  return { role: rule.role, ...steps }
}

function stepsOf({ action, facility, partner, subject }: Entry, detail: UndoDetail): UndoSteps | undefined {
  if (facility !== null) return ofFacility(action, facility, detail)
  if (action.startsWith('token.')) return others.tokenUndo(partner ?? '', subject ?? '', detail)
  if (partner !== null) return ofPartner(action, partner, detail)
  return action === 'setting.change' ? others.settingUndo(detail) : others.operatorUndo(subject ?? '', detail)
}

function ofFacility(action: string, id: string, detail: UndoDetail): UndoSteps | undefined {
  const one = (found: Promise<FacilityOverview>) => found.then((facility) => ({ facility }))
  if (action === 'facility.create' || action === 'facility.remove') {
    if (detail.changes === undefined || detail.changes.length === 0) return undefined
    return action === 'facility.create'
      ? inEstate(
          (tx) => facilities.assertFacilityAsCreated(tx, id, detail),
          (all) => facilities.undoCreation(all, id, detail),
        )
      : inEstate(
          (tx) => facilities.assertNoFacility(tx, id),
          (all) => one(facilities.undoRemoval(all, id, detail)),
        )
  }
  const undo = facilityUndo(action, detail)
  return (
    undo &&
    inEstate(
      (tx) => assertFacilityUnchanged(tx, id, undo),
      (all) => one(undoInFacility(all, id, undo)),
    )
  )
}

function ofPartner(action: string, id: string, detail: UndoDetail): UndoSteps | undefined {
  if (detail.changes === undefined || detail.changes.length === 0) return undefined
  const one = (found: Promise<PartnerWithGrants>) => found.then((partner) => ({ partner }))
  if (action === 'partner.create') {
    return inEstate(
      (tx) => partners.assertPartnerAsCreated(tx, id, detail),
      (all) => partners.undoPartnerCreation(all, id, detail),
    )
  }
  if (action === 'partner.remove') {
    return inEstate(
      (tx) => partners.assertNoPartner(tx, id),
      (all) => one(partners.undoPartnerRemoval(all, id, detail)),
    )
  }
  if (!partners.hasAllPartnerChanges(detail)) return undefined
  return inEstate(
    (tx) => partners.assertPartnerUnchanged(tx, id, detail),
    (all) => one(partners.undoPartnerChange(all, id, detail)),
  )
}

function inEstate(check: UndoPlan['check'], work: (context: EstateContext) => Promise<Undone>): UndoSteps {
  return { check, run: (db, actor) => changeEstate(db, actor, work) }
}
