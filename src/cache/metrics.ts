/** The metrics of a cache, which `/metrics` shows. */
export interface CacheMetrics {
  hits: number
  /** The number of lookups that went to the database. */
  misses: number
  bytes: number
  entries: number
}
