// The interface of a harness: it runs as a test in a small size, and by `npm run torture` in full size.

/** A bug put into a copy of the sources, to prove that the harness can fail. */
export interface Planted {
  name: string
  /** The file, from the root of the project, and the text that is replaced; it must occur exactly once. */
  file: string
  find: string
  replace: string
}

export interface Violation {
  what: string
  /** The shortest history that shows it, a line for each step. */
  history: string[]
}

export interface Outcome {
  /** The counts by name: `{ kills: 100, lost: 0 }`. */
  figures: Record<string, number>
  violations: Violation[]
}

export interface Run {
  /** The folder of the build under test; its program is `bin/atrium.mjs`. */
  build: string
  seed: number
  /** How much to do, in the harness's own unit. */
  count: number
  progress(done: number): void
  /** Aborted when the time is over: stop early, and report what was done. */
  signal: AbortSignal
}

export interface Harness {
  /** One word, for --only. */
  name: string
  /** The numbers of the promises it tests. */
  promises: number[]
  title: string
  /** The unit of the count: "kills", "requests". */
  unit: string
  target: string
  /**
   * A planted bug stops at the first violation, so its count can be large enough that it is not missed by chance.
   * Without `test`, `npm test` only plants bugs.
   */
  counts: { planted: number; test?: number; torture: number }
  /** The first is also planted in `npm test`. */
  planted: Planted[]
  run(run: Run): Promise<Outcome>
}
