import { type Change, type Engine, maxChanges } from '../engine.ts'
import { statement } from '../statement.ts'
import type { Prepared } from './statements.ts'

const changesAfter = statement<Change & { seq: number }>(
  `select seq, action, facility, partner from audit_entry where seq > $1 order by seq limit ${maxChanges + 1}`,
)

/** Another connection's commit moves `data_version`; the journal then says what it was about. */
export function pollChangesWith({ rows, get }: Prepared): Engine['pollChanges'] {
  let version: unknown
  let seq: number | undefined
  return () => {
    const found = get('pragma data_version')
    if (found === version) return []
    const last = Number(get('select max(seq) from audit_entry') ?? 0)
    // An unknown beginning, a journal that is younger than what was read of it, and too much to go through.
    const isLost = seq === undefined || last < seq || last - seq > maxChanges
    const changes = isLost ? 'everything' : (rows(changesAfter, seq as number) as Change[])
    // Only now: what failed half-way is looked at again as a whole.
    version = found
    seq = last
    return changes
  }
}

/** Whatever is committed is settled: one writes at a time. */
export function trackStableOffset({ get }: Prepared): Engine['stableOffset'] {
  return () => Number(get('select max(seq) from audit_entry') ?? 0)
}
