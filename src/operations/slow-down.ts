import { Refusal } from '../domain/refusal.ts'
import { nowIso } from '../domain/time.ts'
import type { Db } from '../storage/database.ts'
import { clearFailures, countFailure, deleteFailuresBefore, type Failures, failuresOf } from '../storage/sign-in.ts'

/**
 * Wrong passwords are counted three ways: for an account from one address, which becomes slow soon; for an address,
 * whatever it tries; and for an account from everywhere, where the wait stays short, so that nobody can lock another out.
 */
interface Count {
  subject: string
  free: number
  waitAtMostSeconds: number
}

function countsOf(email: string, address: string | null): Count[] {
  return [
    { subject: JSON.stringify(['pair', email, address]), free: 5, waitAtMostSeconds: 900 },
    { subject: JSON.stringify(['address', address]), free: 30, waitAtMostSeconds: 900 },
    { subject: JSON.stringify(['account', email]), free: 20, waitAtMostSeconds: 30 },
  ]
}

const forgottenAfterMs = 24 * 3_600_000

const forgotten = () => new Date(Date.now() - forgottenAfterMs).toISOString()

/** Refuses a try that comes too soon after wrong ones, right or wrong, before anything is looked at. */
export async function demandPatience(db: Db, email: string, address: string | null): Promise<void> {
  const counts = countsOf(email, address)
  const failures = await db.read((tx) =>
    failuresOf(
      tx,
      counts.map(({ subject }) => subject),
    ),
  )
  const waits = failures.map((found) => {
    const count = counts.find(({ subject }) => subject === found.subject) as Count
    return secondsLeft(count, found)
  })
  const retryAfterSeconds = Math.ceil(Math.max(0, ...waits))
  if (retryAfterSeconds === 0) return
  throw new Refusal('sign_in_slowed', `Too many wrong tries: wait ${retryAfterSeconds} seconds, then try again.`, {
    retryAfterSeconds,
  })
}

function secondsLeft({ free, waitAtMostSeconds }: Count, { count, lastAt }: Failures): number {
  if (count < free || lastAt < forgotten()) return 0
  const wait = Math.min(2 ** (count - free), waitAtMostSeconds)
  // A clock that was set back makes nobody wait longer.
  return wait - Math.max(0, Date.now() - Date.parse(lastAt)) / 1000
}

export async function countWrongTry(db: Db, email: string, address: string | null): Promise<void> {
  await db.write(async (tx) => {
    for (const { subject } of countsOf(email, address)) await countFailure(tx, subject, nowIso(), forgotten())
  })
}

/** What the address did to others stays counted. */
export async function clearWrongTries(db: Db, email: string, address: string | null): Promise<void> {
  const [pair, , account] = countsOf(email, address) as [Count, Count, Count]
  await db.write((tx) => clearFailures(tx, [pair.subject, account.subject]))
}

export async function forgetOldTries(db: Db): Promise<void> {
  await db.write((tx) => deleteFailuresBefore(tx, forgotten()))
}
