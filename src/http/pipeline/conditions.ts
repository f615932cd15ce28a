import type { IncomingHttpHeaders } from 'node:http'
import { isCycle, type Precondition } from '../../domain/precondition.ts'
import { Refusal } from '../../domain/refusal.ts'

export function preconditionOf(headers: IncomingHttpHeaders): Precondition {
  const ifMatch = headers['if-match']
  const cycle = headers['atrium-cycle']
  return {
    ...(ifMatch !== undefined && { etags: ifMatch.trim() === '*' ? '*' : etagsIn(ifMatch) }),
    ...(typeof cycle === 'string' && { cycle: cycle.trim().toLowerCase() }),
  }
}

/**
 * Returns the header Atrium-Cycle: the cycle of the room as the operator saw it. `/cms/v1` also accepts `none`, which
 * means a closed room and becomes null.
 */
export function seenCycleOf(headers: IncomingHttpHeaders): string | null | undefined {
  const { cycle } = preconditionOf(headers)
  if (cycle === 'none') return null
  if (cycle === undefined || cycle === null || isCycle(cycle)) return cycle
  throw new Refusal('header_invalid', 'Atrium-Cycle must be the "cycle" of an area, a UUID, or "none".')
}

const encodingSuffix = /\.(?:gzip|br|zstd)"$/

/** Returns the strong ETags in an If-Match header. Removes the suffix that names an encoding, such as `.gzip`. */
function etagsIn(header: string): string[] {
  return header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag.startsWith('"'))
    .map((tag) => tag.replace(encodingSuffix, '"'))
}

/** Compares weakly (RFC 9110, section 13.1.2), and ignores the suffix for an encoding, such as `.gzip`. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, '').replace(encodingSuffix, '"'))
  return tags.includes('*') || tags.includes(etag)
}

export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Refusal('idempotency_key_invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}
