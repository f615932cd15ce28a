import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './plant.ts'
import type { HarnessResult } from './result.ts'

/** Stores the results of an interrupted or failed run by seed, so that a run with that seed continues from there. */
export interface SavedResults {
  results: Map<string, HarnessResult>
  /** How long it has run, and on which commits. */
  seconds: number
  commits: string[]
  save(): void
  /** Deletes them: the run is complete, and nothing failed. */
  delete(): void
}

interface Saved {
  seconds: number
  commits: string[]
  results: HarnessResult[]
}

export function openSavedResults(seed: number, commit: string, folder = join(root, 'data')): SavedResults {
  const file = join(folder, `torture-${seed}.json`)
  const before: Saved = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { seconds: 0, commits: [], results: [] }
  const results = new Map(before.results.map((result) => [result.harness, result]))
  const commits = [...new Set([...before.commits, commit])]
  const beginMs = performance.now()
  return {
    results,
    seconds: before.seconds,
    commits,
    save: () => {
      mkdirSync(dirname(file), { recursive: true })
      const seconds = before.seconds + (performance.now() - beginMs) / 1000
      writeFileSync(file, JSON.stringify({ seconds, commits, results: [...results.values()] }))
    },
    delete: () => rmSync(file, { force: true }),
  }
}
