import type { EngineName } from './estate/databases.ts'

export type Unit = 'answers/s' | 's' | 'ms' | 'MB' | 'times'

/** One line of the report: the measurements of each round, with those of the reference before and after it. */
export interface Figure {
  /** R1 to COLD, or p99, start, rest, load, disk, apply, workers. */
  name: string
  engine: EngineName
  /** The server, when it is not Atrium. */
  peer?: string
  scale: number
  unit: Unit
  measured: number[]
  /** Name and measurements of the reference: one before each round and one after the last. */
  limit?: string
  limits?: number[]
  ratios?: number[]
  target?: Target
  /** Reason for a missing measurement. */
  skipped?: string
  /** Further measurements, such as CPU time and latencies. */
  details?: Record<string, unknown>
}

export interface Target {
  of: 'ratio' | 'measured'
  /** Target: the minimum of a ratio, the maximum of a time or an amount. */
  value: number
}
