import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Durability, Engine, Tx } from '../engine.ts'

// Group commit: writes that arrive together share one transaction and one sync of the write-ahead log to the disk, and
// are acknowledged only after it. They run one after the other on the single connection that writes.
//
// Invariant: a write that is refused changes nothing. Most writes are refused before they change anything, so a batch
// first runs without savepoints. If a write fails after a change, the batch is rolled back and run again with a
// savepoint for each write. A batch is synced to the disk if any of its writes requires full durability.
/** The connection that writes. Its methods other than `begin` are synchronous and throw on errors. */
export interface Writer {
  readonly tx: Tx
  /** Waits for the write lock without blocking the event loop. */
  begin(durability: Durability): Promise<void>
  run(statement: 'savepoint write' | 'release write' | 'rollback to write' | 'commit' | 'rollback'): void
  /** Whether a transaction is open. Becomes false after errors on which SQLite itself rolls the transaction back. */
  readonly isTransaction: boolean
  /** The number of statements, since the connection was opened, that may have changed something. */
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

/** The writes per batch: in a larger one each costs less, but all must wait until the last one has run. */
const maxBatchSize = 64
/** How long the writes of a batch run before it is committed, so that large rooms do not block the event loop. */
const maxBatchMs = 20

/**
 * The turns of the event loop for which the first write waits for others. They take almost no time on an idle node, and
 * longer under load, so that more writes share one commit, whose cost is that of a dozen reads.
 */
const gatherTurns = 8

export function groupCommit(writer: Writer): Engine['write'] {
  const queue: Job[] = []
  let running = false
  const run = async () => {
    running = true
    while (queue.length > 0) {
      for (let turn = 0; turn < gatherTurns; turn++) await nextTurn()
      await commitBatch(writer, queue)
    }
    running = false
  }
  return (work, durability, onSnapshotChange) =>
    new Promise((resolve, reject) => {
      queue.push({ durability, work, onSnapshotChange, resolve: resolve as Job['resolve'], reject })
      if (!running) void run()
    })
}

async function commitBatch(writer: Writer, queue: Job[]): Promise<void> {
  let jobs: Job[] = []
  const durability = queue.some(isFull) ? 'full' : 'relaxed'
  try {
    await writer.begin(durability)
    jobs = takeBatch(queue, durability)
    jobs[0]?.onSnapshotChange()
    if (!(await attemptAll(writer, jobs, queue))) await attemptEach(writer, jobs, durability)
    if (jobs.some(isDone)) writer.run('commit')
    else writer.run('rollback')
  } catch (error) {
    rollBack(writer)
    if (jobs.length === 0) jobs = queue.splice(0)
    // A write that failed because of its own work keeps that error; all others get the error of the batch.
    for (const job of jobs) if (job.outcome === undefined || 'value' in job.outcome) job.outcome = { error }
  }
  jobs[0]?.onSnapshotChange()
  for (const { outcome, resolve, reject } of jobs) {
    if (outcome !== undefined && 'value' in outcome) resolve(outcome.value)
    else reject(outcome?.error)
  }
}

/** Takes writes from the queue. A batch with relaxed durability leaves those that require full durability there. */
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

/** Ignores errors: if the transaction stays open, `begin` fails, after which the rollback is tried again. */
function rollBack(writer: Writer): void {
  try {
    if (writer.isTransaction) writer.run('rollback')
  } catch {}
}

/**
 * Runs the writes without savepoints, which would make each cost a seventh more. Returns false when one of several
 * writes failed after a change, so that all must run again with savepoints. Puts writes that did not run within
 * `maxBatchMs` back into the queue.
 */
async function attemptAll(writer: Writer, jobs: Job[], queue: Job[]): Promise<boolean> {
  const startMs = performance.now()
  for (const [index, job] of jobs.entries()) {
    const before = writer.changes
    await attempt(writer, job)
    if (!isDone(job) && writer.changes > before && jobs.length > 1) return false
    if (performance.now() - startMs > maxBatchMs) queue.unshift(...jobs.splice(index + 1))
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
