import type { Grant } from '../../../domain/access/grant.ts'
import type { PartnerWithGrants } from '../../../domain/access/partner.ts'
import type { UndoDetail } from '../../../domain/audit/undo.ts'
import { type EstatePartner, partnerKeys } from '../../../domain/estate.ts'
import { partnerChanges } from '../../../domain/estate-difference.ts'
import type { Contract } from '../../../domain/room/contract.ts'
import type { Tx } from '../../../storage/engine.ts'
import { findPartnerWithGrants, tokenCount } from '../../../storage/estate/estate-partner.ts'
import { findSandbox } from '../../../storage/sandbox.ts'
import { listWebhooks } from '../../../storage/webhook/webhook.ts'
import type { EstateContext } from '../../estate/estate-context.ts'
import { removePartner } from '../../estate/prune-estate.ts'
import { applyAndReload, requirePartner } from '../partner.ts'
import { overtaken, undoImpossible, valuesIn } from './undo-plan.ts'

const fields = new Map(Object.entries(partnerKeys).map(([field, key]) => [key as string, field]))

/** Returns whether an entry has all old and new values; entries of earlier versions of Atrium lack them. */
export function hasAllPartnerChanges({ changes = [] }: UndoDetail): boolean {
  return (
    changes.length > 0 &&
    changes.every(({ key, before, after }) => {
      return fields.has(key) && before !== undefined && after !== undefined
    })
  )
}

function partnerOf(id: string, values: Record<string, unknown>): EstatePartner {
  const { contract, ...others } = values
  const known = Object.entries(others).filter(([key]) => fields.has(key))
  return {
    id,
    ...Object.fromEntries(known.map(([key, value]) => [fields.get(key), value])),
    ...(contract !== undefined && { contract: contract === null ? null : (JSON.stringify(contract) as Contract) }),
  }
}

export async function assertPartnerUnchanged(tx: Tx, id: string, detail: UndoDetail): Promise<PartnerWithGrants> {
  const partner = await requirePartner(tx, id)
  const { changes } = partnerChanges(partner, partnerOf(id, valuesIn(detail, 'after')))
  const [changed] = changes
  if (changed !== undefined) throw overtaken(`"${changed.key}" of partner ${id}`)
  return partner
}

export async function undoPartnerChange(context: EstateContext, id: string, detail: UndoDetail) {
  await assertPartnerUnchanged(context.tx, id, detail)
  return applyAndReload(context, partnerOf(id, valuesIn(detail, 'before')))
}

const nothing = { contract: null, rateLimit: null, grants: [] as Grant[] }

/** Asserts that a partner is as it was created, and that it has no tokens, webhooks or sandbox. */
export async function assertPartnerAsCreated(tx: Tx, id: string, detail: UndoDetail): Promise<void> {
  const partner = await requirePartner(tx, id)
  const wanted = { ...nothing, ...partnerOf(id, valuesIn(detail, 'after')) }
  if (partnerChanges(partner, wanted).changes.length > 0) throw overtaken(`Partner ${id}`)
  const [tokens, webhooks] = [await tokenCount(tx, id), await listWebhooks(tx, id)]
  const isUsed = tokens > 0 || webhooks.length > 0 || (await findSandbox(tx, { owner: id })) !== undefined
  if (isUsed) throw undoImpossible(`Partner ${id} has tokens, webhooks or a sandbox by now: remove the partner itself.`)
}

export async function undoPartnerCreation(context: EstateContext, id: string, detail: UndoDetail): Promise<undefined> {
  await assertPartnerAsCreated(context.tx, id, detail)
  await removePartner(context, id)
  return undefined
}

export async function assertNoPartner(tx: Tx, id: string): Promise<void> {
  if ((await findPartnerWithGrants(tx, id)) !== undefined) throw overtaken(`Partner ${id} exists: it`)
}

/** Creates a removed partner again, but not its tokens and webhooks, whose secrets were deleted. */
export async function undoPartnerRemoval(context: EstateContext, id: string, detail: UndoDetail) {
  await assertNoPartner(context.tx, id)
  return applyAndReload(context, partnerOf(id, valuesIn(detail, 'before')))
}
