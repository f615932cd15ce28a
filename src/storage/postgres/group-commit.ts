import { afterTurns } from '../after-turns.ts'
import type { BatchTx } from '../engine.ts'
import { BatchedWrite, type Job } from './batched-write.ts'
import type { Connection } from './connection.ts'
import { codeOf, inDoubt, timeoutCode } from './errors.ts'
import type { Pool } from './pool.ts'

// Group commit: writes that arrive together share one transaction, two round trips and one flush of the write-ahead log.
// The first round trip locks one row per write with `for update skip locked`, so that no write waits for a lock; the
// second sends all changes with the commit.
//
// Invariant: nothing is changed before the work of a write has succeeded, so a refused write needs no rollback. A write
// whose row is locked elsewhere, or that needs more than a batch offers, is run again in a transaction of its own. When
// the batch fails and is known to be rolled back, that happens to all of its writes.

export type BatchWrite = <T>(work: (tx: BatchTx) => Promise<T>) => Promise<T>

/** The maximum number of batches at a time: one gathers writes while the other waits for its commit. */
export const maxBatches = 2
const maxBatchSize = 64
/** Turns of the event loop for which the first write of a batch waits for others. */
const gatherTurns = 3

export function groupCommit(pool: Pool, timeoutMs: number, writeStandalone: BatchWrite): BatchWrite {
  const queue: Job[] = []
  let running = 0
  const runStandalone = ({ work, resolve, reject }: Job) => void writeStandalone(work).then(resolve, reject)
  const run = async () => {
    const jobs = queue.splice(0, maxBatchSize)
    const { standalone, nextBatch } = await runBatch(pool, timeoutMs, jobs)
    standalone.forEach(runStandalone)
    queue.unshift(...nextBatch)
    running--
    startNext()
  }
  const startNext = () => {
    if (queue.length === 0 || running === maxBatches) return
    running++
    afterTurns(gatherTurns, run)
  }
  return (work) =>
    new Promise((resolve, reject) => {
      queue.push({ work, resolve: resolve as Job['resolve'], reject })
      startNext()
    })
}

/** Writes to run again: each in a transaction of its own, or all in the next batch. */
interface Deferred {
  standalone: Job[]
  nextBatch: Job[]
}

async function runBatch(pool: Pool, timeoutMs: number, jobs: Job[]): Promise<Deferred> {
  try {
    const connection = await pool.acquire()
    const cancelTimeout = connection.startTimeout(timeoutMs)
    const writes = jobs.map((job) => new BatchedWrite(job))
    const isSound = await commitBatch(connection, writes)
    cancelTimeout()
    connection.release(!isSound)
    return { standalone: jobsIn(writes, 'standalone'), nextBatch: jobsIn(writes, 'nextBatch') }
  } catch (error) {
    for (const { reject } of jobs) reject(error)
    return { standalone: [], nextBatch: [] }
  }
}

function jobsIn(writes: BatchedWrite[], state: BatchedWrite['state']): Job[] {
  return writes.filter((write) => write.state === state).map(({ job }) => job)
}

/** Returns whether the connection can be reused. */
async function commitBatch(connection: Connection, writes: BatchedWrite[]): Promise<boolean> {
  let isCommitting = false
  try {
    await microtasksDone()
    const begun = connection.command('begin')
    await Promise.all([begun, runQueries(connection, writes)])
    isCommitting = true
    await commit(connection, writes)
    return true
  } catch (error) {
    const isSound = !connection.isInDoubt && (await connection.rollback())
    // Before the commit nothing has changed. After a timeout the writes fail, since a retry would wait as long again.
    const canRetry = isSound || (!isCommitting && codeOf(error) !== timeoutCode)
    for (const write of writes) {
      if (canRetry) write.defer('standalone')
      else write.fail(error)
    }
    return isSound
  }
}

/** Runs the queries of all writes, round by round, until each write is done or deferred. */
async function runQueries(connection: Connection, writes: BatchedWrite[]): Promise<void> {
  for (;;) {
    for (const write of writes) if (!write.isBatchable) write.defer('standalone')
    deferSameRows(writes)
    const running = writes.filter(({ state }) => state === 'running')
    if (running.length === 0) return
    await Promise.all(running.flatMap((write) => write.sendQueries(connection)))
    await microtasksDone()
  }
}

/** Lets one write per row proceed: a second one would read the row as it was before the first one changed it. */
function deferSameRows(writes: BatchedWrite[]): void {
  const taken = new Set<string>()
  for (const write of writes) {
    if (write.state !== 'running') continue
    if (write.row === undefined) write.defer('standalone')
    else if (taken.has(write.row)) write.defer('nextBatch')
    else taken.add(write.row)
  }
}

async function commit(connection: Connection, writes: BatchedWrite[]): Promise<void> {
  const done = writes.filter(({ state }) => state === 'done')
  const changes = done.flatMap((write) => write.sendChanges(connection))
  for (const write of done) changes.push(...write.sendLastChanges(connection))
  const [command] = await Promise.all([connection.command('commit'), ...changes])
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
  if (connection.isInDoubt) throw inDoubt()
  for (const write of done) write.succeed()
}

/** Resolves when all promise callbacks that need no further input have run. */
function microtasksDone(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
