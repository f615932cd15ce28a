import { networkOf } from '../../domain/access/address-range.ts'
import { FairQueue } from '../../domain/fair-queue.ts'
import { Refusal } from '../../domain/refusal.ts'
import { runInThread } from '../run-in-thread.ts'

/** Each takes a tenth of a second of a processor, and 32 MiB. */
const atOnce = 2

const waiting = new FairQueue<() => void>({ perKey: 8, inAll: 32 })
let underWay = 0

/**
 * Runs work that hashes or compares a password. Few at a time in this process, and few wait, the addresses they come from in
 * turn: a flood of guesses costs others neither processors nor connections to the database. Refuses beyond that.
 */
export async function inPasswordQueue<T>(address: string | null, work: () => Promise<T>): Promise<T> {
  if (underWay < atOnce) underWay++
  else await turnOf(networkOf(address ?? ''))
  try {
    return await work()
  } finally {
    const next = waiting.take()
    if (next === undefined) underWay--
    else next()
  }
}

function turnOf(network: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (waiting.add(network, resolve)) return
    const detail = 'Too many passwords are being checked at this moment: try again in a second.'
    reject(new Refusal('overloaded', detail, { retryAfterSeconds: 1 }))
  })
}

// A thread for each, and not libuv's pool: there compression, files and look-ups of names would wait behind it.
const script = new URL('./password-worker.mjs', import.meta.url)

/** Only in the queue. */
export function hashPassword(password: string): Promise<string> {
  return runInThread<string>(script, { password })
}

/** Only in the queue. */
export function isPassword(password: string, hash: string): Promise<boolean> {
  return runInThread<boolean>(script, { password, hash })
}
