import { allows, combineGrants, type Grant, type Need, type RoomOperation } from '../../domain/access/grant.ts'
import type { PartnerRight } from '../../domain/access/partner.ts'
import { Refusal, type RefusalCode } from '../../domain/refusal.ts'
import { findPartner, grantsOfPartner } from '../../storage/access/partner.ts'
import { countLogged, type LoggedCall, loggedCalls } from '../../storage/cms/logged-calls.ts'
import type { Db } from '../../storage/database.ts'

export interface ChangedOutcome extends LoggedCall {
  /** The code of the refusal: by the new grants or, if these allow the request, by the present ones. */
  code: RefusalCode
}

interface GrantDryRun {
  from: string
  /** The number of requests whose permissions were checked under both the present and the new grants. */
  checked: number
  notChecked: number
  turnsRefused: ChangedOutcome[]
  turnsAllowed: ChangedOutcome[]
}

interface GrantDryRunOptions {
  partner: string
  /** `webhooks` is the new right to manage webhooks; if undefined, it stays as it is. */
  draft: { grants: Grant[]; webhooks?: boolean | undefined }
  days: number
  /** Returns the permission that a route requires, or undefined for an unknown route. */
  needOf(method: string, route: string): RouteNeed | undefined
}

interface RouteNeed {
  need: Need
  right?: PartnerRight | undefined
  isRoom: boolean
  /** Whether the route is independent of facilities: it names neither a facility nor a room. */
  isAnywhere: boolean
  /** Whether the permissions depend on the operations in the body, as logged with the request. */
  isBulk: boolean
}

const maxCalls = 10_000

/** Replays a partner's logged requests under new grants (`draft`). Returns those whose outcome would change. */
export function dryRunGrants(db: Db, { partner, draft, days, needOf }: GrantDryRunOptions): Promise<GrantDryRun> {
  const from = new Date(Date.now() - days * 86_400_000).toISOString()
  return db.readFromReplica(async (tx) => {
    const found = await findPartner(tx, partner)
    if (found === undefined) throw new Refusal('partner_not_found', 'There is no partner with this id.')
    const { webhooks } = found
    const now = decider({ grants: await grantsOfPartner(tx, partner), webhooks })
    const then = decider({ grants: draft.grants, webhooks: draft.webhooks ?? webhooks })
    const rehearsal: GrantDryRun = { from, checked: 0, notChecked: 0, turnsRefused: [], turnsAllowed: [] }
    for (const call of await loggedCalls(tx, partner, from, maxCalls)) {
      const asked = needOf(call.method, call.route)
      if (asked === undefined || (call.facility === null && !asked.isAnywhere)) continue
      if (asked.isBulk && call.roomsNeeded === null) continue
      rehearsal.checked += call.count
      const [before, after] = [now, then].map((decide) => decide(call, asked))
      if (before === undefined && after !== undefined) rehearsal.turnsRefused.push({ ...call, code: after })
      if (before !== undefined && after === undefined) rehearsal.turnsAllowed.push({ ...call, code: before })
    }
    return { ...rehearsal, notChecked: (await countLogged(tx, partner, from)) - rehearsal.checked }
  })
}

/** Returns a function that returns undefined for a request that the grants allow, else the code of its refusal. */
function decider({ grants, ...rights }: Record<PartnerRight, boolean> & { grants: Grant[] }) {
  const covers = grants.map(({ facilities }) => (facilities === '*' ? undefined : new Set(facilities)))
  return (
    { facility, roomsNeeded }: LoggedCall,
    { need, right, isRoom, isAnywhere }: RouteNeed,
  ): RefusalCode | undefined => {
    if (right !== undefined && !rights[right]) return 'not_granted'
    if (isAnywhere) return undefined
    const covering = grants.filter((_, at) => covers[at]?.has(facility ?? '') ?? true)
    if (covering.length === 0) return isRoom ? 'area_not_found' : 'facility_not_granted'
    const access = combineGrants(covering)
    const rooms = (roomsNeeded?.split(' ') ?? []) as RoomOperation[]
    const isAllowed = allows(access, need) && rooms.every((operation) => allows(access, { rooms: operation }))
    return isAllowed ? undefined : 'not_granted'
  }
}
