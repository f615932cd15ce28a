import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { deleteOldRequests } from '../../storage/request-log.ts'
import { readSettings } from '../../storage/setting.ts'

const batchSize = 500
const dayMs = 86_400_000

/** Works in small batches, so that no request waits long for a batch. */
export async function pruneRequestLog(db: Db): Promise<void> {
  while (await db.write(deleteBatch, { durability: 'relaxed' })) await yieldToEventLoop()
}

/** Returns whether there may be more. Only one node may delete at a time. */
async function deleteBatch(tx: Tx): Promise<boolean> {
  if (!(await tx.tryLock('atrium request log'))) return false
  const { request_log_days, request_log_rows: rows } = await readSettings(tx)
  const oldest = new Date(Date.now() - request_log_days * dayMs).toISOString()
  return deleteOldRequests(tx, { oldest, rows }, batchSize)
}
