import { networkOf } from '../../domain/access/address-range.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  clearFailures,
  countFailure,
  deleteFailuresBefore,
  type Failures,
  failuresOf,
  takeBackFailure,
} from '../../storage/access/sign-in.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { inPasswordQueue } from './password-queue.ts'

/**
 * Tries of a password are counted three ways: for an account from one address, which becomes slow soon; for an address,
 * whatever it tries; and for an account from everywhere, where the wait stays short, so that nobody can lock another out.
 *
 * A try is counted before it is judged, and taken back when it was right: of any number of guesses at the same moment, on
 * whichever nodes, only as many are judged as may be wrong.
 */
interface Count {
  subject: string
  free: number
  waitAtMostSeconds: number
}

export interface Guesser {
  email: string
  address: string | null
}

/** In IPv6 an address stands for its network: its owner has all of the others, too. */
function countsOf({ email, address }: Guesser): Count[] {
  const network = address === null ? null : networkOf(address)
  return [
    { subject: JSON.stringify(['pair', email, network]), free: 5, waitAtMostSeconds: 900 },
    { subject: JSON.stringify(['address', network]), free: 30, waitAtMostSeconds: 900 },
    { subject: JSON.stringify(['account', email]), free: 20, waitAtMostSeconds: 30 },
  ]
}

const forgottenAfterMs = 24 * 3_600_000

const forgotten = () => new Date(Date.now() - forgottenAfterMs).toISOString()

/**
 * Judges a try, unless it comes too soon after others. When it is right, `whenRight` runs in the transaction that takes the
 * count back. Returns undefined when it is wrong.
 */
export async function judgeTry<T>(
  db: Db,
  guesser: Guesser,
  isRight: () => Promise<boolean>,
  whenRight: (tx: Tx) => Promise<T>,
): Promise<T | undefined> {
  const counts = countsOf(guesser)
  // Asked before the queue, too: those who have to wait anyway take nobody's place in it.
  await db.read((tx) => demandPatience(tx, counts))
  return inPasswordQueue(guesser.address, async () => {
    const at = new Date().toISOString()
    const before = await db.write((tx) => countTry(tx, counts, at))
    if (!(await isRight())) return undefined
    return db.write(async (tx) => {
      await takeBack(tx, counts, at, before)
      return whenRight(tx)
    })
  })
}

/** One try at a time on all nodes: what is read here is what is counted. Returns what there was before. */
async function countTry(tx: Tx, counts: Count[], at: string): Promise<Failures[]> {
  await tx.lock('atrium sign-in')
  const before = await demandPatience(tx, counts)
  for (const { subject } of counts) await countFailure(tx, subject, at, forgotten())
  return before
}

/** Refuses a try that comes too soon, right or wrong, before anything is looked at. */
async function demandPatience(tx: Tx, counts: Count[]): Promise<Failures[]> {
  const subjects = counts.map(({ subject }) => subject)
  const failures = await failuresOf(tx, subjects)
  const waits = failures.map((found) => secondsLeft(counts[subjects.indexOf(found.subject)] as Count, found))
  const retryAfterSeconds = Math.ceil(Math.max(0, ...waits))
  if (retryAfterSeconds === 0) return failures
  throw new Refusal('sign_in_slowed', `Too many tries: wait ${retryAfterSeconds} seconds, then try again.`, {
    retryAfterSeconds,
  })
}

function secondsLeft({ free, waitAtMostSeconds }: Count, { count, lastAt }: Failures): number {
  if (count < free || lastAt < forgotten()) return 0
  const wait = Math.min(2 ** (count - free), waitAtMostSeconds)
  // A clock that was set back makes nobody wait longer.
  return wait - Math.max(0, Date.now() - Date.parse(lastAt)) / 1000
}

/** What the address did to others stays counted. */
async function takeBack(tx: Tx, counts: Count[], at: string, before: Failures[]): Promise<void> {
  const [pair, address, account] = counts as [Count, Count, Count]
  await clearFailures(tx, [pair.subject, account.subject])
  const lastAt = before.find(({ subject }) => subject === address.subject)?.lastAt ?? at
  await takeBackFailure(tx, address.subject, at, lastAt)
}

export async function forgetOldTries(db: Db): Promise<void> {
  await db.write((tx) => deleteFailuresBefore(tx, forgotten()))
}
