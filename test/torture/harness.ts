// What every harness of a promise looks like: it is run as a test in its small size, and by `npm run torture` in its large one.

/** A defect put into a copy of the sources, to see that the harness can fail. */
export interface Planted {
  name: string
  /** The file, from the root of the project, and the text in it that is replaced; it must stand there exactly once. */
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
  /** What was counted, by name: `{ kills: 100, lost: 0 }`. */
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
  /** Aborted when the time is over: end early, and count what was done. */
  signal: AbortSignal
}

export interface Harness {
  /** One word, for --only. */
  name: string
  /** The numbers of the promises it tests. */
  promises: number[]
  title: string
  /** What is counted: "kills", "requests". */
  unit: string
  target: string
  /** A planted bug is looked for until it is caught: of it there may be many, so that none is missed by chance. */
  counts: { planted: number; test: number; torture: number }
  planted: Planted[]
  /** How many of them are planted in `npm test`, where each costs a start; one without it. */
  plantedInTest?: number
  run(run: Run): Promise<Outcome>
}
