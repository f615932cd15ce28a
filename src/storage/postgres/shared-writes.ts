import { afterTurns } from '../after-turns.ts'
import type { Tx } from '../engine.ts'
import type { Connection } from './connection.ts'
import { codeOf, inDoubt, noAnswerCode } from './errors.ts'
import { type Job, Member } from './member.ts'
import type { Pool } from './pool.ts'

export type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** While one waits for the disk, the next one gathers. */
export const sharedAtOnce = 2
const togetherAtMost = 64
/** Turns of the event loop for which the first of a group waits for others. */
const turnsToGather = 3

/**
 * Writes that arrive together commit together: each of them locks one row, all in one transaction, without waiting for
 * anybody else's; then all that they change leaves together, with the commit. What one of them wants to change is sent only
 * when it is done, so whoever is refused leaves nothing behind. Whoever cannot have its row at once, or turns out to need
 * more than that, does it again in a transaction of its own, and so do all when anything fails.
 */
export function sharedWrites(pool: Pool, withinMs: number, alone: Write): Write {
  const waiting: Job[] = []
  let running = 0
  const goAlone = ({ work, resolve, reject }: Job) => void alone(work).then(resolve, reject)
  const run = async () => {
    const jobs = waiting.splice(0, togetherAtMost)
    const { apart, again } = await together(pool, withinMs, jobs)
    apart.forEach(goAlone)
    waiting.unshift(...again)
    running--
    next()
  }
  const next = () => {
    if (waiting.length === 0 || running === sharedAtOnce) return
    running++
    afterTurns(turnsToGather, run)
  }
  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Job['resolve'], reject })
      next()
    })
}

/** Those who have to do it in a transaction of their own, and those who only have to do it after the others. */
interface Left {
  apart: Job[]
  again: Job[]
}

async function together(pool: Pool, withinMs: number, jobs: Job[]): Promise<Left> {
  try {
    const connection = await pool.take()
    const lift = connection.limit(withinMs)
    const members = jobs.map((job) => new Member(job))
    const isSound = await commitTogether(connection, members)
    lift()
    connection.release(!isSound)
    return { apart: jobsOf(members, 'apart'), again: jobsOf(members, 'again') }
  } catch (error) {
    for (const { reject } of jobs) reject(error)
    return { apart: [], again: [] }
  }
}

function jobsOf(members: Member[], state: Member['state']): Job[] {
  return members.filter((member) => member.state === state).map(({ job }) => job)
}

/** Whether the connection can be used again. */
async function commitTogether(connection: Connection, members: Member[]): Promise<boolean> {
  let isEnding = false
  try {
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

/** Until all of them are done or have left. */
async function askInTurns(connection: Connection, members: Member[]): Promise<void> {
  for (;;) {
    await microtasks()
    for (const member of members) if (!member.isWaitingForRowsOnly) member.leave('apart')
    leaveSameRows(members)
    const asking = members.filter(({ state }) => state === 'asking')
    if (asking.length === 0) return
    await Promise.all(asking.flatMap((member) => member.ask(connection)))
  }
}

/** Each is told what a row was before any of the others changed it: of those who want the same one, the first goes on. */
function leaveSameRows(members: Member[]): void {
  const taken = new Set<string>()
  for (const member of members) {
    if (member.state !== 'asking') continue
    if (member.row === undefined) member.leave('apart')
    else if (taken.has(member.row)) member.leave('again')
    else taken.add(member.row)
  }
}

async function commit(connection: Connection, members: Member[]): Promise<void> {
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
