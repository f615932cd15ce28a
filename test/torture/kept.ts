import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './plant.ts'
import type { HarnessResult } from './result.ts'

/** What an interrupted run had finished, by its seed, so that the run with that seed goes on from there. */
export interface Kept {
  results: Map<string, HarnessResult>
  /** How long it had run. */
  seconds: number
  save(): void
  /** The run has come to its end. */
  forget(): void
}

interface Saved {
  seconds: number
  results: HarnessResult[]
}

export function keptOf(seed: number, folder = join(root, 'data')): Kept {
  const file = join(folder, `torture-${seed}.json`)
  const before: Saved = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { seconds: 0, results: [] }
  const results = new Map(before.results.map((result) => [result.harness, result]))
  const beginMs = performance.now()
  return {
    results,
    seconds: before.seconds,
    save: () => {
      mkdirSync(dirname(file), { recursive: true })
      const seconds = before.seconds + (performance.now() - beginMs) / 1000
      writeFileSync(file, JSON.stringify({ seconds, results: [...results.values()] }))
    },
    forget: () => rmSync(file, { force: true }),
  }
}
