import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BatchTx } from '../engine.ts'
import { BatchedWrite, type Job } from './batched-write.ts'
import type { Connection } from './connection.ts'
import { codeOf, inDoubt, timeoutCode } from './errors.ts'
import type { Pool } from './pool.ts'

// Group commit: writes that arrive together share one transaction, and so two round trips and one flush of the
// write-ahead log. The first round trip locks a row for each write by `for update skip locked`; the second sends all
// changes and the commit.
// Invariant: the changes of a write are sent only after its work has succeeded, so a refused write needs no rollback. A
// write runs again in a transaction of its own if another transaction has locked its row, if it uses more than
// `BatchTx` offers, or if its batch failed and is known to be rolled back.

type BatchWrite = <T>(work: (tx: BatchTx) => Promise<T>) => Promise<T>

/** The maximum number of batches at the same time: while one waits for its commit, another collects writes. */
export const maxBatches = 2
const maxBatchSize = 64
/** The number of turns of the event loop for which the first write of a batch waits for others to join it. */
const gatherTurns = 3

export function groupCommit(pool: Pool, timeoutMs: number, writeStandalone: BatchWrite): BatchWrite {
  const queue: Job[] = []
  let running = 0
  const runStandalone = ({ work, resolve, reject }: Job) => void writeStandalone(work).then(resolve, reject)
  const run = async () => {
    for (let turn = 0; turn < gatherTurns; turn++) await nextTurn()
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
    void run()
  }
  return (work) =>
    new Promise((resolve, reject) => {
      queue.push({ work, resolve: resolve as Job['resolve'], reject })
      startNext()
    })
}

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

/** Returns whether the connection can be used again. */
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
    // A write can run again only if nothing was committed. After a timeout, it does not: that would take as long.
    const canRetry = isSound || (!isCommitting && codeOf(error) !== timeoutCode)
    for (const write of writes) {
      if (canRetry) write.defer('standalone')
      else write.fail(error)
    }
    return isSound
  }
}

/** Runs all writes in rounds: each sends every write's next query, until all have ended or left the batch. */
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

/** Lets only one write per locked row stay in the batch: a second one would not see the changes of the first. */
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

/** Resolves when all pending promise callbacks have run: each write's work has then processed its rows. */
function microtasksDone(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
