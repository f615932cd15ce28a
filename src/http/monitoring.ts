import { Dashboard } from '../operations/cms/dashboard.ts'
import { RequestFeed } from '../operations/cms/request-feed.ts'
import type { Db } from '../storage/database.ts'

/** The state of this node for the pages of the console that update live. */
export interface Monitoring {
  startedAt: string
  feed: RequestFeed
  dashboard: Dashboard
}

export function createMonitoring(db: Db): Monitoring {
  return { startedAt: new Date().toISOString(), feed: new RequestFeed(db), dashboard: new Dashboard(db) }
}
