import { createToken } from '../../src/operations/access/token.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type Applied, applyEstate } from '../atrium.ts'
import type { BenchEstate } from './shape.ts'
import { insertSubscriptions } from './subscriptions.ts'

/** Secrets, which cannot be read back from the database. */
export interface Made {
  /** Tokens by index of the partner. */
  tokens: string[]
  applied: Applied
}

/** Fills an empty database: the facilities by `atrium apply`, timed, then a token for each partner, then the guests. */
export async function fill(database: string, estate: BenchEstate, file: string, logFile: string): Promise<Made> {
  const applied = await applyEstate(database, file, logFile)
  const db = openDatabase(database)
  try {
    const tokens: string[] = []
    for (let index = 0; index < estate.partners; index++) {
      const order = { partner: estate.partner(index).id, name: 'bench', expiresAt: null, allowedRanges: [] }
      const issued = await createToken(db, order)
      tokens.push(issued?.secret ?? '')
    }
    await insertSubscriptions(db, estate)
    return { tokens, applied }
  } finally {
    await db.close()
  }
}
