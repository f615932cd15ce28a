import { Dashboard } from '../operations/cms/dashboard.ts'
import { RequestFeed } from '../operations/cms/request-feed.ts'
import type { Db } from '../storage/database.ts'

/** What the live pages of the console show about this node. */
export interface Monitoring {
  startedAt: string
  feed: RequestFeed
  dashboard: Dashboard
}

export function createMonitoring(db: Db): Monitoring {
  return { startedAt: new Date().toISOString(), feed: new RequestFeed(db), dashboard: new Dashboard(db) }
}
