import { setImmediate as nextTurn } from 'node:timers/promises'
import { EstateCache } from '../../src/storage/cached/estate-cache.ts'
import type { Change, Engine } from '../../src/storage/engine.ts'
import type { Statement } from '../../src/storage/statement.ts'

interface Waiting {
  text: string
  /** How much had been committed when it was sent: as much as it may be late to see. */
  era: number
  answer(rows: unknown[]): void
}

/** What the database holds after so many commits, by what is asked for. */
export type World = (text: string, era: number) => object[]

/** The cache of a node whose database is a server: its rows are let go by hand: what meets what is decided by the test. */
export function cacheByHand(world: World, maxBytes = 1_000_000) {
  const waiting: Waiting[] = []
  let era = 0
  let committed: Change[] = []
  const asked = ({ text }: Statement) => new Promise((answer) => waiting.push({ text, era, answer }))
  const ask = asked as Engine['ask']
  const pollChanges = async () => committed.splice(0)
  const cache = new EstateCache({ ask, pollChanges }, maxBytes)
  const step = async (newestFirst = false) => {
    const next = newestFirst ? waiting.pop() : waiting.shift()
    next?.answer(world(next.text, next.era))
    await nextTurn()
  }
  return {
    ask,
    cache,
    /** One statement that waits is answered. */
    step,
    async settle(newestFirst = false) {
      await nextTurn()
      for (let steps = 0; waiting.length > 0; steps++) {
        if (steps > 50) throw new Error(`it asks over and over: ${waiting[0]?.text}`)
        await step(newestFirst)
      }
    },
    /** Somebody commits, and nobody here knows yet. */
    commitUnseen(...changes: Change[]) {
      era++
      committed = changes
    },
    /** Somebody commits, and whoever asks from now on knows. */
    async commit(...changes: Change[]) {
      this.commitUnseen(...changes)
      await cache.ensureFresh()
    },
  }
}

/** A partner p with a token, which the first commit revokes, and a facility f with a room, which each makes anew. */
export const smallWorld: World = (text, era) => {
  const version = era + 1
  const revoked_at = era === 0 ? null : revokedAt
  if (/from token/.test(text)) {
    return [{ partner_id: 'p', version, name: 't', hash: 'h', expires_at: null, revoked_at, allowed_ranges: '[]' }]
  }
  if (/from partner p/.test(text)) {
    return [{ name: 'P', contract: null, rate_limit: null, webhooks: 0, version, sandbox_of: null, ahead_ms: null }]
  }
  if (/from partner_grant/.test(text)) {
    return [{ every_facility: 0, read_fields: '[]', write_fields: '[]', room_operations: '[]', facilities: 'f' }]
  }
  const facility = { id: era + 1, timezone: 'UTC', room_services: 1 }
  if (/entries_count/.test(text)) {
    return [{ ...facility, id_external: 'f', name: `after ${era}`, status: 'active', address: null, devices: '[]' }]
  }
  if (/from area/.test(text)) return [{ facility: 'f', is_exact: 1 }]
  return [facility]
}

export const revokedAt = '2026-11-15T08:30:00.000Z'
