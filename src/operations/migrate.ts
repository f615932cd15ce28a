import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../domain/refusal.ts'
import type { Db } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'

const tryEveryMs = 500

/** A database that is started together with its nodes may need longer than they do. `waiting` hears why, once. */
export async function migrateOnceThere(db: Db, waitSeconds: number, waiting: (reason: string) => void): Promise<void> {
  let said: string | undefined
  for (let triesLeft = Math.ceil((waitSeconds * 1000) / tryEveryMs); ; triesLeft--) {
    try {
      await migrate(db)
      return
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof Refusal && error.code === 'database_unavailable')) throw error
      const reason = error.cause instanceof Error ? error.cause.message : error.message
      if (reason !== said) waiting(reason)
      said = reason
    }
    await sleep(tryEveryMs)
  }
}
