import { type Access, combineGrants, type Grant } from '../../domain/access/grant.ts'
import type { RateLimit } from '../../domain/access/rate-limit.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { grantsOfPartner } from '../../storage/access/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'
import type { ParseQuery } from '../page.ts'

/** Returns a partner's grants, contract (a JSON Schema) and limits, which show it why a request is refused. */
export function readMe(db: Db, token: CachedToken, rateLimit: RateLimit | null, parseQuery: ParseQuery<void>) {
  const { partner } = token
  return db.read(async (tx) => {
    parseQuery()
    const grants = await grantsOfPartner(tx, partner.id)
    return {
      partner: { id: partner.id, name: partner.name },
      token: tokenView(token),
      grants: addedUpByFacility(grants),
      contract: partner.contract === null ? null : parseExactly(partner.contract),
      rate_limit: rateLimit && { per_second: rateLimit.perSecond, burst: rateLimit.burst },
    }
  })
}

function tokenView({ id, name, expiresAt, rotateBy }: CachedToken) {
  const view = { id, name, expires_at: expiresAt }
  return rotateBy === null ? view : { ...view, imported: true, rotate_by: rotateBy }
}

/**
 * Merges grants into one row per facility that they name. Each row includes what grants on all facilities (`"*"`)
 * allow; the row `"*"` is for facilities without a row of their own.
 */
function addedUpByFacility(grants: Grant[]) {
  const everywhere = grants.filter(({ facilities }) => facilities === '*')
  const named = new Map<string, Grant[]>()
  for (const grant of grants) {
    for (const facility of grant.facilities === '*' ? [] : grant.facilities) {
      const known = named.get(facility)
      if (known === undefined) named.set(facility, [grant])
      else known.push(grant)
    }
  }
  const rows = [...named].sort(([a], [b]) => (a < b ? -1 : 1))
  const own = rows.map(([facility, covering]) => row(facility, combineGrants([...everywhere, ...covering])))
  return everywhere.length > 0 ? [row('*', combineGrants(everywhere)), ...own] : own
}

function row(facility: string, { read, write, rooms }: Access) {
  return { facility, read: [...read], write: [...write], rooms: [...rooms] }
}
