import { networkOf } from '../../domain/access/address-range.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  clearFailures,
  countFailure,
  deleteFailuresBefore,
  type Failures,
  failuresOf,
  uncountFailure,
} from '../../storage/access/sign-in.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { inPasswordQueue } from './password-queue.ts'

/**
 * A counter of failed sign-ins, which throttles password guessing with exponential backoff: after a number of free
 * failures, each further one doubles the wait. Failures are counted in the database, for all nodes, by three keys:
 * account and network together; network alone; and account alone, with a short maximum wait, so that an attacker cannot
 * lock an operator out.
 *
 * An attempt is counted as a failure before its password is checked, and uncounted if the password is right. So
 * concurrent guesses, even on several nodes, cannot pass the number of allowed failures.
 */
interface Counter {
  subject: string
  freeFailures: number
  maxWaitSeconds: number
}

interface AttemptSource {
  email: string
  address: string | null
}

/** Counts IPv6 addresses by network, because the owner of one address has its whole network. */
function countersOf({ email, address }: AttemptSource): Counter[] {
  const network = address === null ? null : networkOf(address)
  return [
    { subject: JSON.stringify(['pair', email, network]), freeFailures: 5, maxWaitSeconds: 900 },
    { subject: JSON.stringify(['address', network]), freeFailures: 30, maxWaitSeconds: 900 },
    { subject: JSON.stringify(['account', email]), freeFailures: 20, maxWaitSeconds: 30 },
  ]
}

const failureLifetimeMs = 24 * 3_600_000

const oldestFailure = () => new Date(Date.now() - failureLifetimeMs).toISOString()

/**
 * Refuses the attempt unchecked while its account or network has to wait. If `isRight`, runs `onSuccess` in the
 * transaction that clears the failures; if not, returns undefined.
 */
export async function verifyAttempt<T>(
  db: Db,
  source: AttemptSource,
  isRight: () => Promise<boolean>,
  onSuccess: (tx: Tx) => Promise<T>,
): Promise<T | undefined> {
  const counters = countersOf(source)
  // Checks the failures before entering the password queue, so that throttled attempts do not fill the queue.
  await db.read((tx) => assertNotThrottled(tx, counters))
  return inPasswordQueue(source.address, async () => {
    const at = new Date().toISOString()
    const before = await db.write((tx) => countAttempt(tx, counters, at))
    if (!(await isRight())) return undefined
    return db.write(async (tx) => {
      await uncountAttempt(tx, counters, at, before)
      return onSuccess(tx)
    })
  })
}

/** Counts a failure, under a lock that all nodes share. Returns the failures stored before it. */
async function countAttempt(tx: Tx, counters: Counter[], at: string): Promise<Failures[]> {
  await tx.lock('atrium sign-in')
  const before = await assertNotThrottled(tx, counters)
  for (const { subject } of counters) await countFailure(tx, subject, at, oldestFailure())
  return before
}

/** Refuses an attempt that comes too soon after failed ones. */
async function assertNotThrottled(tx: Tx, counters: Counter[]): Promise<Failures[]> {
  const subjects = counters.map(({ subject }) => subject)
  const failures = await failuresOf(tx, subjects)
  const waits = failures.map((found) => secondsLeft(counters[subjects.indexOf(found.subject)] as Counter, found))
  const retryAfterSeconds = Math.ceil(Math.max(0, ...waits))
  if (retryAfterSeconds === 0) return failures
  throw new Refusal('sign_in_slowed', `Too many attempts: wait ${retryAfterSeconds} seconds, then try again.`, {
    retryAfterSeconds,
  })
}

function secondsLeft({ freeFailures, maxWaitSeconds }: Counter, { count, lastAt }: Failures): number {
  if (count < freeFailures || lastAt < oldestFailure()) return 0
  const wait = Math.min(2 ** (count - freeFailures), maxWaitSeconds)
  // Counts a negative time since the last failure as 0, so that a clock that was set back does not prolong the wait.
  return wait - Math.max(0, Date.now() - Date.parse(lastAt)) / 1000
}

/**
 * After a right password, clears the failures of the account, but reduces those of the network by this attempt only,
 * because the others may belong to other accounts.
 */
async function uncountAttempt(tx: Tx, counters: Counter[], at: string, before: Failures[]): Promise<void> {
  const [pair, address, account] = counters as [Counter, Counter, Counter]
  await clearFailures(tx, [pair.subject, account.subject])
  const lastAt = before.find(({ subject }) => subject === address.subject)?.lastAt ?? at
  await uncountFailure(tx, address.subject, at, lastAt)
}

export async function pruneSignInFailures(db: Db): Promise<void> {
  await db.write((tx) => deleteFailuresBefore(tx, oldestFailure()))
}
