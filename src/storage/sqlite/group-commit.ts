import { afterTurns } from '../after-turns.ts'
import type { Durability, Engine, Tx } from '../engine.ts'

// Group commit: writes that arrive together share one transaction and one wait for the disk, before any of them is
// acknowledged. Relaxed writes wait for the disk only when they come together with others.

/** The one connection that writes. All of it works at once, and throws. */
export interface Writer {
  readonly tx: Tx
  /** Waits, without blocking, until no other process writes. */
  begin(durability: Durability): Promise<void>
  run(statement: 'savepoint write' | 'release write' | 'rollback to write' | 'commit' | 'rollback'): void
  /** After some errors the engine has taken everything back by itself. */
  readonly isTransaction: boolean
  /** How many statements it has carried out, or tried to, that may have changed something. */
  readonly changes: number
}

interface Job {
  durability: Durability
  moved(): void
  work(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
  outcome?: { value: unknown } | { error: unknown }
}

/** The more share a commit, the cheaper each; but none of them is answered before the last of them is done. */
const maxBatchSize = 64

/**
 * Turns of the event loop for which the first of a batch waits for others. With nothing else to do they pass at once;
 * while many read they last, and a commit costs as much as a dozen reads.
 */
const turnsToGather = 8

export function groupCommit(writer: Writer): Engine['write'] {
  const waiting: Job[] = []
  let running = false
  const run = async () => {
    await commitBatch(writer, waiting)
    running = waiting.length > 0
    if (running) afterTurns(turnsToGather, run)
  }
  return (work, durability, moved) =>
    new Promise((resolve, reject) => {
      waiting.push({ durability, work, moved, resolve: resolve as Job['resolve'], reject })
      if (running) return
      running = true
      afterTurns(turnsToGather, run)
    })
}

async function commitBatch(writer: Writer, waiting: Job[]): Promise<void> {
  let jobs: Job[] = []
  const durability = waiting.some(isFull) ? 'full' : 'relaxed'
  try {
    await writer.begin(durability)
    jobs = takeBatch(waiting, durability)
    jobs[0]?.moved()
    if (!(await attemptAll(writer, jobs))) await attemptEach(writer, jobs, durability)
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

/** A full write that came while relaxed ones were about to begin is left for the next batch. */
function takeBatch(waiting: Job[], durability: Durability): Job[] {
  const firstFull = durability === 'full' ? -1 : waiting.findIndex(isFull)
  return waiting.splice(0, firstFull === -1 ? maxBatchSize : Math.min(firstFull, maxBatchSize))
}

function isFull(job: Job): boolean {
  return job.durability === 'full'
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
 * A refused write has mostly changed nothing yet, and needs no rollback: a savepoint for each would cost a seventh of a
 * write. Returns false, and all are done again, when one among others fails behind a change.
 */
async function attemptAll(writer: Writer, jobs: Job[]): Promise<boolean> {
  for (const job of jobs) {
    const before = writer.changes
    await attempt(writer, job)
    if (!isDone(job) && writer.changes > before && jobs.length > 1) return false
  }
  return true
}

async function attemptEach(writer: Writer, jobs: Job[], durability: Durability): Promise<void> {
  writer.run('rollback')
  await writer.begin(durability)
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
