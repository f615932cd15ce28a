import { setImmediate as nextTurn } from 'node:timers/promises'
import { EstateCache } from '../../src/storage/cached/estate-cache.ts'
import type { Change, Engine } from '../../src/storage/engine.ts'
import type { Statement } from '../../src/storage/statement.ts'

interface PendingQuery {
  text: string
  /** The number of commits when the query was sent, whose snapshot it returns. */
  commits: number
  answer(rows: unknown[]): void
}

/** Returns the rows for a statement after a number of commits. */
export type RowsAfter = (text: string, commits: number) => object[]

/** A cache on a simulated database server whose responses the test releases one by one, so that it decides all races. */
export function manualCache(world: RowsAfter, maxBytes = 1_000_000) {
  const waiting: PendingQuery[] = []
  let commits = 0
  let committed: Change[] = []
  const send = ({ text }: Statement) => new Promise((answer) => waiting.push({ text, commits, answer }))
  const ask = send as Engine['ask']
  const pollChanges = async () => committed.splice(0)
  const cache = new EstateCache({ ask, pollChanges }, maxBytes)
  const step = async (newestFirst = false) => {
    const next = newestFirst ? waiting.pop() : waiting.shift()
    next?.answer(world(next.text, next.commits))
    await nextTurn()
  }
  return {
    ask,
    cache,
    /** Releases the response to one pending query. */
    step,
    async settle(newestFirst = false) {
      await nextTurn()
      for (let steps = 0; waiting.length > 0; steps++) {
        if (steps > 50) throw new Error(`it asks over and over: ${waiting[0]?.text}`)
        await step(newestFirst)
      }
    },
    /** Another node commits; this one has not polled yet. */
    commitUnpolled(...changes: Change[]) {
      commits++
      committed = changes
    },
    /** Another node commits, and this one polls. */
    async commit(...changes: Change[]) {
      this.commitUnpolled(...changes)
      await cache.ensureFresh()
    },
  }
}

/** A partner p with a token, which the first commit revokes, and a facility f with a room, which each commit recreates. */
export const sampleRows: RowsAfter = (text, commits) => {
  const version = commits + 1
  const revoked_at = commits === 0 ? null : revokedAt
  if (/from token/.test(text)) {
    return [{ partner_id: 'p', version, name: 't', hash: 'h', expires_at: null, revoked_at, allowed_ranges: '[]' }]
  }
  if (/from partner p/.test(text)) {
    return [{ name: 'P', contract: null, rate_limit: null, webhooks: 0, version, sandbox_of: null, ahead_ms: null }]
  }
  if (/from partner_grant/.test(text)) {
    return [{ every_facility: 0, read_fields: '[]', write_fields: '[]', room_operations: '[]', facilities: 'f' }]
  }
  const facility = { id: commits + 1, timezone: 'UTC', room_services: 1 }
  if (/entries_count/.test(text)) {
    return [{ ...facility, id_external: 'f', name: `after ${commits}`, status: 'active', address: null, devices: '[]' }]
  }
  if (/from area/.test(text)) return [{ facility: 'f', is_exact: 1 }]
  return [facility]
}

export const revokedAt = '2026-11-15T08:30:00.000Z'
