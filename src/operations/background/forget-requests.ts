import { setImmediate as pause } from 'node:timers/promises'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { deleteOldRequests } from '../../storage/request-log.ts'
import { readSettings } from '../../storage/setting.ts'

const rowsAtOnce = 500
const dayMs = 86_400_000

/** In small steps with a pause after each, so that nobody has to wait for it; one node at a time. */
export async function forgetOldRequests(db: Db): Promise<void> {
  while (await db.write(forgetSome, { durability: 'relaxed' })) await pause()
}

async function forgetSome(tx: Tx): Promise<boolean> {
  if (!(await tx.tryLock('atrium request log'))) return false
  const { request_log_days, request_log_rows: rows } = await readSettings(tx)
  const oldest = new Date(Date.now() - request_log_days * dayMs).toISOString()
  return deleteOldRequests(tx, { oldest, rows }, rowsAtOnce)
}
