import type { EngineName } from './estate/databases.ts'

export type Unit = 'answers/s' | 's' | 'ms' | 'MB' | 'times'

/** One line of the report: what was measured in each round, and the limit around it. */
export interface Figure {
  /** R1 to COLD, or p99, start, rest, load, disk, apply, workers. */
  name: string
  engine: EngineName
  /** The server, when it is not Atrium. */
  peer?: string
  scale: number
  unit: Unit
  measured: number[]
  /** The name of the limit, with its own measurements: one before each round and one after the last. */
  limit?: string
  limits?: number[]
  ratios?: number[]
  target?: Target
  /** Why there is no figure. */
  skipped?: string
  /** Whatever else was seen: processor time, latencies. */
  details?: Record<string, unknown>
}

export interface Target {
  of: 'ratio' | 'measured'
  /** A ratio should be at least, a time or an amount at most this. */
  value: number
}
