import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Edit } from './edit.ts'
import type { Mutant } from './mutants.ts'
import type { Part } from './parts.ts'

/** For what hangs; on a busy machine, what does not takes its time too. */
const timeLimitMs = 45_000
const judge = 'test/hostile/mutation/judge.ts'
const theirs = /^(ATRIUM_(?!TEST_POSTGRES$)|NODE_TEST|NODE_V8_COVERAGE$|TMPDIR$)/
const nothing: Edit = { start: 0, end: 0, text: '' }

/** Where the tests of one build look at mutants, each in a process of its own. */
export class Court implements Disposable {
  readonly #build: string
  readonly #signal: AbortSignal
  readonly #scratch = mkdtempSync(join(tmpdir(), 'atrium-mutation-'))

  constructor(build: string, signal: AbortSignal) {
    this.#build = build
    this.#signal = signal
  }

  /** The tests of these parts that fail anyway, and so would kill every mutant. */
  async failingAnyway(parts: Iterable<Part>): Promise<string[]> {
    const failing: string[] = []
    await severalAtOnce(new Set(parts), async (part) => {
      if (await this.#fails(part)) failing.push(...part.tests)
    })
    return failing
  }

  /** Tells of each mutant whether it was killed, as soon as it is known. */
  async judge(mutants: Mutant[], tell: (mutant: Mutant, isKilled: boolean) => void): Promise<void> {
    await severalAtOnce(mutants, async (mutant) => {
      if (this.#signal.aborted) return
      const isKilled = await this.#fails(mutant.part, mutant)
      if (!this.#signal.aborted) tell(mutant, isKilled)
    })
  }

  [Symbol.dispose](): void {
    rmSync(this.#scratch, { recursive: true, force: true })
  }

  /** Whether its tests fail with this edit, or without any. What hangs is ended, and has failed. */
  async #fails({ file, tests, onEveryEngine }: Part, { start, end, text } = nothing): Promise<boolean> {
    const place = [file, String(start), String(end), text]
    const child = spawn(process.execPath, [join(this.#build, judge), ...place, ...tests], {
      cwd: this.#build,
      env: { ...this.#environment(), ...(onEveryEngine ? {} : { ATRIUM_TEST_ENGINE: 'sqlite' }) },
      stdio: 'ignore',
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      signal: this.#signal,
    })
    // Not by `once`, for which one that is ended before its time is an error.
    child.on('error', () => {})
    return new Promise((resolve) => child.on('close', (code) => resolve(code !== 0)))
  }

  #environment(): NodeJS.ProcessEnv {
    const kept = Object.entries(process.env).filter(([name]) => !theirs.test(name))
    // What the tests around this have compiled need not be compiled again.
    const compiled = { NODE_COMPILE_CACHE: join(this.#scratch, 'compiled') }
    return { ...compiled, ...Object.fromEntries(kept), TMPDIR: this.#scratch }
  }
}

async function severalAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
}
