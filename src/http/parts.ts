import type { Config } from '../config.ts'
import type { TokenUse } from '../operations/token-use.ts'
import type { Db } from '../storage/database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What the server is put together from. */
export interface Parts {
  config: Config
  db: Db
  log: Log
  metrics: Metrics
  tokenUse: TokenUse
}
