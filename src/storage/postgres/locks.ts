import { statement } from '../statement.ts'

export interface Locked {
  ok: boolean
}

/** Tries to take the advisory lock of a name, without waiting. The lock is released when the transaction ends. */
export const tryLock = statement<Locked>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as ok')

export function isLocked([row]: Locked[]): boolean {
  return row?.ok === true
}
