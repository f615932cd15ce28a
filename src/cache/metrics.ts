/** What operators see of a cache. */
export interface CacheMetrics {
  hits: number
  /** Look-ups that went to the database. */
  misses: number
  bytes: number
  entries: number
}
