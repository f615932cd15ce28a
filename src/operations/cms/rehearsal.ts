import { allows, combineGrants, type Grant, type Need } from '../../domain/access/grant.ts'
import type { PartnerRight } from '../../domain/access/partner.ts'
import { Refusal, type RefusalCode } from '../../domain/refusal.ts'
import { findPartner, grantsOfPartner } from '../../storage/access/partner.ts'
import { countLogged, type LoggedCall, loggedCalls } from '../../storage/cms/logged-calls.ts'
import type { Db } from '../../storage/database.ts'

export interface TurnedCall extends LoggedCall {
  /** Why it is refused, by the grants that refuse it. */
  code: RefusalCode
}

export interface Rehearsal {
  from: string
  /** Requests whose outcome is known under both. */
  checked: number
  notChecked: number
  turnsRefused: TurnedCall[]
  turnsAllowed: TurnedCall[]
}

export interface RehearsalOrder {
  partner: string
  /** Without `webhooks` the partner keeps that right, or goes without it, as it is now. */
  draft: { grants: Grant[]; webhooks?: boolean | undefined }
  days: number
  /** What the route asks for; undefined for a route that is not known. */
  needOf(method: string, route: string): RouteNeed | undefined
}

interface RouteNeed {
  need: Need
  right?: PartnerRight | undefined
  isRoom: boolean
  /** Whether it names neither a facility nor a room. */
  isAnywhere: boolean
}

const callsAtMost = 10_000

/** What the partner asked for in the last days, decided by the grants it has and by those it would have. */
export function rehearse(db: Db, { partner, draft, days, needOf }: RehearsalOrder): Promise<Rehearsal> {
  const from = new Date(Date.now() - days * 86_400_000).toISOString()
  return db.read(async (tx) => {
    const found = await findPartner(tx, partner)
    if (found === undefined) throw new Refusal('partner_not_found', 'There is no partner with this id.')
    const { webhooks } = found
    const now = decider({ grants: await grantsOfPartner(tx, partner), webhooks })
    const then = decider({ grants: draft.grants, webhooks: draft.webhooks ?? webhooks })
    const rehearsal: Rehearsal = { from, checked: 0, notChecked: 0, turnsRefused: [], turnsAllowed: [] }
    for (const call of await loggedCalls(tx, partner, from, callsAtMost)) {
      const asked = needOf(call.method, call.route)
      if (asked === undefined || (call.facility === null && !asked.isAnywhere)) continue
      rehearsal.checked += call.count
      const [before, after] = [now, then].map((decide) => decide(call.facility ?? '', asked))
      if (before === undefined && after !== undefined) rehearsal.turnsRefused.push({ ...call, code: after })
      if (before !== undefined && after === undefined) rehearsal.turnsAllowed.push({ ...call, code: before })
    }
    return { ...rehearsal, notChecked: (await countLogged(tx, partner, from)) - rehearsal.checked }
  })
}

/** By the domain's own rules: nothing where it is allowed, or the code of the refusal. */
function decider({ grants, ...rights }: Record<PartnerRight, boolean> & { grants: Grant[] }) {
  const covers = grants.map(({ facilities }) => (facilities === '*' ? undefined : new Set(facilities)))
  return (facility: string, { need, right, isRoom, isAnywhere }: RouteNeed): RefusalCode | undefined => {
    if (right !== undefined && !rights[right]) return 'not_granted'
    if (isAnywhere) return undefined
    const covering = grants.filter((_, at) => covers[at]?.has(facility) ?? true)
    if (covering.length === 0) return isRoom ? 'area_not_found' : 'facility_not_granted'
    return allows(combineGrants(covering), need) ? undefined : 'not_granted'
  }
}
