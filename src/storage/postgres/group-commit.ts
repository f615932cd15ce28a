import { afterTurns } from '../after-turns.ts'
import type { BatchTx } from '../engine.ts'
import { BatchedWrite, type Job } from './batched-write.ts'
import type { Connection } from './connection.ts'
import { codeOf, inDoubt, noAnswerCode } from './errors.ts'
import type { Pool } from './pool.ts'

// Group commit: writes that arrive together lock one row each, all in one transaction and without waiting for any other;
// then all that they change leaves with the commit. However many they are, that is two round trips: what is asked, and
// what is changed. A refused write leaves nothing behind, as what it changes is sent only when it is done. One that
// cannot have its row at once is done again in a transaction of its own, and so are all when anything fails.

export type BatchWrite = <T>(work: (tx: BatchTx) => Promise<T>) => Promise<T>

/** While one batch waits for the disk, the next one gathers. */
export const maxBatches = 2
const maxBatchSize = 64
/** Turns of the event loop for which the first of a batch waits for others. */
const turnsToGather = 3

export function groupCommit(pool: Pool, withinMs: number, alone: BatchWrite): BatchWrite {
  const waiting: Job[] = []
  let running = 0
  const goAlone = ({ work, resolve, reject }: Job) => void alone(work).then(resolve, reject)
  const run = async () => {
    const jobs = waiting.splice(0, maxBatchSize)
    const { apart, again } = await runBatch(pool, withinMs, jobs)
    apart.forEach(goAlone)
    waiting.unshift(...again)
    running--
    next()
  }
  const next = () => {
    if (waiting.length === 0 || running === maxBatches) return
    running++
    afterTurns(turnsToGather, run)
  }
  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Job['resolve'], reject })
      next()
    })
}

/** Those to be done in transactions of their own, and those to be done in the next batch. */
interface Left {
  apart: Job[]
  again: Job[]
}

async function runBatch(pool: Pool, withinMs: number, jobs: Job[]): Promise<Left> {
  try {
    const connection = await pool.take()
    const lift = connection.limit(withinMs)
    const members = jobs.map((job) => new BatchedWrite(job))
    const isSound = await commitBatch(connection, members)
    lift()
    connection.release(!isSound)
    return { apart: jobsOf(members, 'apart'), again: jobsOf(members, 'again') }
  } catch (error) {
    for (const { reject } of jobs) reject(error)
    return { apart: [], again: [] }
  }
}

function jobsOf(members: BatchedWrite[], state: BatchedWrite['state']): Job[] {
  return members.filter((member) => member.state === state).map(({ job }) => job)
}

/** Whether the connection can be used again. */
async function commitBatch(connection: Connection, members: BatchedWrite[]): Promise<boolean> {
  let isEnding = false
  try {
    await microtasks()
    const begun = connection.command('begin')
    await Promise.all([begun, askInTurns(connection, members)])
    isEnding = true
    await commit(connection, members)
    return true
  } catch (error) {
    const isSound = !connection.isInDoubt && (await connection.isRolledBack())
    // Nothing is changed before the end. A server that gave no answer in time is not waited for once more.
    const isUndone = isSound || (!isEnding && codeOf(error) !== noAnswerCode)
    for (const member of members) {
      if (isUndone) member.leave('apart')
      else member.fail(error)
    }
    return isSound
  }
}

/** Until all of them are done or have left. What they ask for first leaves with the beginning of the transaction. */
async function askInTurns(connection: Connection, members: BatchedWrite[]): Promise<void> {
  for (;;) {
    for (const member of members) if (!member.isWaitingForRowsOnly) member.leave('apart')
    leaveSameRows(members)
    const asking = members.filter(({ state }) => state === 'asking')
    if (asking.length === 0) return
    await Promise.all(asking.flatMap((member) => member.ask(connection)))
    await microtasks()
  }
}

/** Each is told what a row was before any of the others changed it: of those who want the same one, the first goes on. */
function leaveSameRows(members: BatchedWrite[]): void {
  const taken = new Set<string>()
  for (const member of members) {
    if (member.state !== 'asking') continue
    if (member.row === undefined) member.leave('apart')
    else if (taken.has(member.row)) member.leave('again')
    else taken.add(member.row)
  }
}

async function commit(connection: Connection, members: BatchedWrite[]): Promise<void> {
  const done = members.filter(({ state }) => state === 'done')
  const changes = done.flatMap((member) => member.change(connection))
  for (const member of done) changes.push(...member.changeLast(connection))
  const [command] = await Promise.all([connection.command('commit'), ...changes])
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
  if (connection.isInDoubt) throw inDoubt()
  for (const member of done) member.succeed()
}

/** Resolves when everything that could go on without the outside world has done so. */
function microtasks(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
