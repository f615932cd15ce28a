import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './plant.ts'
import type { HarnessResult } from './result.ts'

/** What an interrupted run had finished, by its seed, so that the run with that seed goes on from there. */
export interface Kept {
  results: Map<string, HarnessResult>
  save(): void
  /** The run has come to its end. */
  forget(): void
}

export function keptOf(seed: number, folder = join(root, 'data')): Kept {
  const file = join(folder, `torture-${seed}.json`)
  const before: HarnessResult[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  const results = new Map(before.map((result) => [result.harness, result]))
  return {
    results,
    save: () => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify([...results.values()]))
    },
    forget: () => rmSync(file, { force: true }),
  }
}
