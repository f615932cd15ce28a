import { afterTurns } from '../after-turns.ts'
import type { Durability, Engine, Tx } from '../engine.ts'

// Group commit: writes that arrive together share one transaction and one sync of the write-ahead log, and none is
// acknowledged before it. They run one after the other on the one writing connection.
//
// Invariant: a refused write leaves nothing behind. Most have changed nothing when they are refused, so a batch first
// runs without savepoints. When a write fails after a change, the batch is rolled back and run again with a savepoint
// around each write. A batch is synced if any write in it asks for full durability.
/** The connection that writes. All of its methods but `begin` are synchronous, and throw on errors. */
export interface Writer {
  readonly tx: Tx
  /** Waits, without blocking the event loop, for the write lock. */
  begin(durability: Durability): Promise<void>
  run(statement: 'savepoint write' | 'release write' | 'rollback to write' | 'commit' | 'rollback'): void
  /** False after an error on which SQLite has rolled back by itself. */
  readonly isTransaction: boolean
  /** How many statements that may change something were started. */
  readonly changes: number
}

interface Job {
  durability: Durability
  onSnapshotChange(): void
  work(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
  outcome?: { value: unknown } | { error: unknown }
}

/** A larger batch costs less per write, but its first write waits for its last. */
const maxBatchSize = 64

/**
 * Turns of the event loop for which the first write of a batch waits for others. On an idle node they pass at once. Under
 * load they take longer and gather more writes; a commit costs as much as a dozen reads.
 */
const gatherTurns = 8

export function groupCommit(writer: Writer): Engine['write'] {
  const queue: Job[] = []
  let running = false
  const run = async () => {
    await commitBatch(writer, queue)
    running = queue.length > 0
    if (running) afterTurns(gatherTurns, run)
  }
  return (work, durability, onSnapshotChange) =>
    new Promise((resolve, reject) => {
      queue.push({ durability, work, onSnapshotChange, resolve: resolve as Job['resolve'], reject })
      if (running) return
      running = true
      afterTurns(gatherTurns, run)
    })
}

async function commitBatch(writer: Writer, queue: Job[]): Promise<void> {
  let jobs: Job[] = []
  const durability = queue.some(isFull) ? 'full' : 'relaxed'
  try {
    await writer.begin(durability)
    jobs = takeBatch(queue, durability)
    jobs[0]?.onSnapshotChange()
    if (!(await attemptAll(writer, jobs))) await attemptEach(writer, jobs, durability)
    if (jobs.some(isDone)) writer.run('commit')
    else writer.run('rollback')
  } catch (error) {
    rollBack(writer)
    if (jobs.length === 0) jobs = queue.splice(0)
    // A write that failed on its own keeps its error.
    for (const job of jobs) if (job.outcome === undefined || 'value' in job.outcome) job.outcome = { error }
  }
  jobs[0]?.onSnapshotChange()
  for (const { outcome, resolve, reject } of jobs) {
    if (outcome !== undefined && 'value' in outcome) resolve(outcome.value)
    else reject(outcome?.error)
  }
}

/** Leaves writes of full durability for the next batch if they came while a relaxed transaction began. */
function takeBatch(queue: Job[], durability: Durability): Job[] {
  const firstFull = durability === 'full' ? -1 : queue.findIndex(isFull)
  return queue.splice(0, firstFull === -1 ? maxBatchSize : Math.min(firstFull, maxBatchSize))
}

function isFull(job: Job): boolean {
  return job.durability === 'full'
}

function isDone({ outcome }: Job): boolean {
  return outcome !== undefined && 'value' in outcome
}

/** Ignores errors: if the transaction is still open, the next `begin` fails and rolls back again. */
function rollBack(writer: Writer): void {
  try {
    if (writer.isTransaction) writer.run('rollback')
  } catch {}
}

/**
 * Runs the writes without savepoints, each of which would cost a seventh of a write. Returns false when one of several
 * failed after a change, so that all must run again.
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
  jobs[0]?.onSnapshotChange()
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
