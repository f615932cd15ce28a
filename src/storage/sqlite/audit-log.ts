import { type Change, type Engine, maxChanges } from '../engine.ts'
import { statement } from '../statement.ts'
import type { Prepared } from './statements.ts'

const changesAfter = statement<Change & { seq: number }>(
  `select seq, action, facility, partner from audit_entry where seq > $1 order by seq limit ${maxChanges + 1}`,
)

/** Reads entries only if `pragma data_version` shows that another connection has committed. This check costs no I/O. */
export function changePoller({ rows, get }: Prepared): Engine['pollChanges'] {
  let version: unknown
  let seq: number | undefined
  return () => {
    const found = get('pragma data_version')
    if (found === version) return []
    const last = Number(get('select max(seq) from audit_entry') ?? 0)
    // Clears the cache in the first poll, after a restore, and when there are too many changes to read.
    const isUnknown = seq === undefined || last < seq || last - seq > maxChanges
    const changes = isUnknown ? 'everything' : (rows(changesAfter, seq as number) as Change[])
    // Set only after the entries were read, so that if reading throws, the next poll reads them again.
    version = found
    seq = last
    return changes
  }
}

/** Only one transaction writes at a time, so entries are committed in the order of their numbers. */
export function stableOffsetReader({ get }: Prepared): Engine['stableOffset'] {
  return () => Number(get('select max(seq) from audit_entry') ?? 0)
}
