import { afterTurns } from '../after-turns.ts'
import type { Tx } from '../engine.ts'

/** The one connection that writes. All of it works at once, and throws. */
export interface Writer {
  readonly tx: Tx
  /** Waits, without blocking, until no other process writes. Its commit waits for the disk where something is promised. */
  begin(isPromised: boolean): Promise<void>
  run(statement: 'savepoint write' | 'release write' | 'rollback to write' | 'commit' | 'rollback'): void
  /** After some errors the engine has taken everything back by itself. */
  readonly isTransaction: boolean
  /** How many statements it has carried out, or tried to, that may have changed something. */
  readonly changes: number
}

type Write = <T>(work: (tx: Tx) => Promise<T>, moved: () => void) => Promise<T>

interface Job {
  /** Somebody is told that it is done, and relies on it. */
  isPromised: boolean
  moved(): void
  work(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
  outcome?: { value: unknown } | { error: unknown }
}

/** The more share a commit, the cheaper each; but none of them is answered before the last of them is done. */
const togetherAtMost = 64

/**
 * Turns of the event loop for which the first of a group waits for others. With nothing else to do they pass at once;
 * while many read they last, and a commit costs as much as a dozen reads.
 */
const turnsToGather = 8

/**
 * Writes that arrive together commit together: one transaction, and one wait for the disk, before any is acknowledged.
 * Jottings, which nobody was promised, wait for the disk only when they come together with others.
 */
export function groupedWrites(writer: Writer): { write: Write; jot: Write } {
  const waiting: Job[] = []
  let running = false
  const run = async () => {
    await commitTogether(writer, waiting)
    running = waiting.length > 0
    if (running) afterTurns(turnsToGather, run)
  }
  const queue =
    (isPromised: boolean): Write =>
    (work, moved) =>
      new Promise((resolve, reject) => {
        waiting.push({ isPromised, work, moved, resolve: resolve as Job['resolve'], reject })
        if (running) return
        running = true
        afterTurns(turnsToGather, run)
      })
  return { write: queue(true), jot: queue(false) }
}

async function commitTogether(writer: Writer, waiting: Job[]): Promise<void> {
  let jobs: Job[] = []
  const isPromised = waiting.some((job) => job.isPromised)
  try {
    await writer.begin(isPromised)
    jobs = takeTogether(waiting, isPromised)
    jobs[0]?.moved()
    if (!(await attemptAll(writer, jobs))) await attemptEach(writer, jobs, isPromised)
    if (jobs.some(isDone)) writer.run('commit')
    else writer.run('rollback')
  } catch (error) {
    takeBack(writer)
    if (jobs.length === 0) jobs = waiting.splice(0)
    // What had failed by itself keeps its own reason.
    for (const job of jobs) if (job.outcome === undefined || 'value' in job.outcome) job.outcome = { error }
  }
  jobs[0]?.moved()
  for (const { outcome, resolve, reject } of jobs) {
    if (outcome !== undefined && 'value' in outcome) resolve(outcome.value)
    else reject(outcome?.error)
  }
}

/** Whoever came while jottings were about to begin, and needs more than they do, is left for the next group. */
function takeTogether(waiting: Job[], isPromised: boolean): Job[] {
  const firstPromised = isPromised ? -1 : waiting.findIndex((job) => job.isPromised)
  return waiting.splice(0, firstPromised === -1 ? togetherAtMost : Math.min(firstPromised, togetherAtMost))
}

function isDone({ outcome }: Job): boolean {
  return outcome !== undefined && 'value' in outcome
}

/** When even that fails, the next one to begin is told, and it is tried again then. */
function takeBack(writer: Writer): void {
  try {
    if (writer.isTransaction) writer.run('rollback')
  } catch {}
}

/**
 * Whoever is refused has mostly changed nothing yet, and nothing of it has to be taken back: a savepoint for each would
 * cost a seventh of a write. False, and done again, when somebody among others fails behind a change.
 */
async function attemptAll(writer: Writer, jobs: Job[]): Promise<boolean> {
  for (const job of jobs) {
    const before = writer.changes
    await attempt(writer, job)
    if (!isDone(job) && writer.changes > before && jobs.length > 1) return false
  }
  return true
}

async function attemptEach(writer: Writer, jobs: Job[], isPromised: boolean): Promise<void> {
  writer.run('rollback')
  await writer.begin(isPromised)
  jobs[0]?.moved()
  for (const job of jobs) {
    writer.run('savepoint write')
    await attempt(writer, job)
    if (!isDone(job)) writer.run('rollback to write')
    writer.run('release write')
  }
}

async function attempt(writer: Writer, job: Job): Promise<void> {
  try {
    job.outcome = { value: await job.work(writer.tx) }
  } catch (error) {
    job.outcome = { error }
    if (!writer.isTransaction) throw error
  }
}
