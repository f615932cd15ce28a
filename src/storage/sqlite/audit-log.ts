import { type Change, type Engine, maxChanges } from '../engine.ts'
import { statement } from '../statement.ts'
import type { Prepared } from './statements.ts'

const changesAfter = statement<Change & { seq: number }>(
  `select seq, action, facility, partner from audit_entry where seq > $1 order by seq limit ${maxChanges + 1}`,
)

/**
 * Returns `Engine.pollChanges`. `pragma data_version` changes with every commit of another connection and costs no I/O;
 * only when it has changed are the entries since the last poll read.
 */
export function changePoller({ rows, get }: Prepared): Engine['pollChanges'] {
  let version: unknown
  let seq: number | undefined
  return () => {
    const found = get('pragma data_version')
    if (found === version) return []
    const last = Number(get('select max(seq) from audit_entry') ?? 0)
    // The changes are not known in the first poll, when the log was replaced by an older one, and when there are more
    // than are worth reading.
    const isUnknown = seq === undefined || last < seq || last - seq > maxChanges
    const changes = isUnknown ? 'everything' : (rows(changesAfter, seq as number) as Change[])
    // Assigned last, so that a poll that throws is repeated as a whole.
    version = found
    seq = last
    return changes
  }
}

/** Returns `Engine.stableOffset`: with one writer at a time, entries are numbered in commit order. */
export function stableOffsetReader({ get }: Prepared): Engine['stableOffset'] {
  return () => Number(get('select max(seq) from audit_entry') ?? 0)
}
