import { Figures } from '../operations/cms/figures.ts'
import { RequestFeed } from '../operations/cms/request-feed.ts'
import type { Db } from '../storage/database.ts'

/** What one node has for those who watch it. */
export interface Watch {
  startedAt: string
  feed: RequestFeed
  figures: Figures
}

export function watchOf(db: Db): Watch {
  return { startedAt: new Date().toISOString(), feed: new RequestFeed(db), figures: new Figures(db) }
}
