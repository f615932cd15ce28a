import type { Made } from './fill.ts'
import type { BenchEstate } from './shape.ts'

export type EngineName = 'sqlite' | 'postgres'

/** The generated estate in one engine, copied for each measured server. */
export interface Databases {
  engine: EngineName
  version: string
  made: Made
  /** Whether it was generated in this run, so that its duration is a measurement of this version. */
  madeNow: boolean
  /** Size on disk. */
  megabytes(): Promise<number>
  /** Creates a copy and returns its address. */
  copy(name: string): Promise<string>
  /** Creates an empty database and returns its address. */
  empty(name: string): Promise<string>
  stop(): Promise<void>
}

export interface MakeOptions {
  estate: BenchEstate
  /** Written on first use. */
  estateFile(): Promise<string>
  /** Used only by this run. */
  folder: string
  say(line: string): void
}
