import type { Made } from './fill.ts'
import type { BenchEstate } from './shape.ts'

export type EngineName = 'sqlite' | 'postgres'

/** The estate in one engine, to be copied for whoever is measured. */
export interface Databases {
  engine: EngineName
  version: string
  made: Made
  /** It was made in this run, so that its making is a figure of this version. */
  madeNow: boolean
  /** What it takes on disk. */
  megabytes(): Promise<number>
  /** The address of a new copy. */
  copy(name: string): Promise<string>
  /** The address of a new database with nothing in it. */
  empty(name: string): Promise<string>
  stop(): Promise<void>
}

export interface MakeOptions {
  estate: BenchEstate
  /** Written when it is first asked for. */
  estateFile(): Promise<string>
  /** Of this run alone. */
  folder: string
  say(line: string): void
}
