import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Edit } from './edit.ts'
import type { Mutant } from './mutants.ts'
import type { Part } from './parts.ts'

/** The timeout for mutants that hang, with room for a busy machine. */
const timeoutMs = 45_000
const judge = 'test/hostile/mutation/judge.ts'
const excludedVariables = /^(ATRIUM_(?!TEST_POSTGRES$)|NODE_TEST|NODE_V8_COVERAGE$|TMPDIR$)/
const noEdit: Edit = { start: 0, end: 0, text: '' }

/** Runs the tests of one build against mutants, each in a process of its own. */
export class MutantRunner implements Disposable {
  readonly #build: string
  readonly #signal: AbortSignal
  readonly #scratch = mkdtempSync(join(tmpdir(), 'atrium-mutation-'))

  constructor(build: string, signal: AbortSignal) {
    this.#build = build
    this.#signal = signal
  }

  /** Returns the tests that fail without a mutant, and so would kill every one. */
  async findFailingTests(parts: Iterable<Part>): Promise<string[]> {
    const failing: string[] = []
    await severalAtOnce(new Set(parts), async (part) => {
      if (await this.#fails(part)) failing.push(...part.tests)
    })
    return failing
  }

  /** Reports for each mutant whether it was killed, as soon as it is known. */
  async run(mutants: Mutant[], onDone: (mutant: Mutant, isKilled: boolean) => void): Promise<void> {
    await severalAtOnce(mutants, async (mutant) => {
      if (this.#signal.aborted) return
      const isKilled = await this.#fails(mutant.part, mutant)
      if (!this.#signal.aborted) onDone(mutant, isKilled)
    })
  }

  [Symbol.dispose](): void {
    rmSync(this.#scratch, { recursive: true, force: true })
  }

  /** Whether the tests fail with this edit, or with none. A timeout counts as a failure. */
  async #fails({ file, tests, onEveryEngine }: Part, { start, end, text } = noEdit): Promise<boolean> {
    const place = [file, String(start), String(end), text]
    const child = spawn(process.execPath, [join(this.#build, judge), ...place, ...tests], {
      cwd: this.#build,
      env: { ...this.#environment(), ...(onEveryEngine ? {} : { ATRIUM_TEST_ENGINE: 'sqlite' }) },
      stdio: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      signal: this.#signal,
    })
    // Not `once`, which rejects when the process is killed.
    child.on('error', () => {})
    return new Promise((resolve) => child.on('close', (code) => resolve(code !== 0)))
  }

  #environment(): NodeJS.ProcessEnv {
    const kept = Object.entries(process.env).filter(([name]) => !excludedVariables.test(name))
    // Shares the compile cache of the outer test run.
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
