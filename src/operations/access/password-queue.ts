import { networkOf } from '../../domain/access/address-range.ts'
import { FairQueue } from '../../domain/fair-queue.ts'
import { Refusal } from '../../domain/refusal.ts'
import { runInThread } from '../run-in-thread.ts'

/** How many passwords are hashed at a time. Each hash (scrypt) takes 0.1 s of CPU time and 32 MiB. */
const maxConcurrent = 2

const waiting = new FairQueue<() => void>({ perKey: 8, total: 32 })
let running = 0

/**
 * Runs work that hashes a password, as soon as its turn comes. The queue is bounded and serves client networks in turn,
 * so that a flood of guesses takes neither CPU time nor database connections from others. Refuses when it is full.
 */
export async function inPasswordQueue<T>(address: string | null, work: () => Promise<T>): Promise<T> {
  if (running < maxConcurrent) running++
  else await turnOf(networkOf(address ?? ''))
  try {
    return await work()
  } finally {
    const next = waiting.take()
    if (next === undefined) running--
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

// Hashing runs in a new thread for each password: in libuv's thread pool, it would delay compression, file access and
// DNS lookups.
const script = new URL('./password-worker.mjs', import.meta.url)

/** Hashes a password in a thread. Must run inside `inPasswordQueue`. */
export function hashPassword(password: string): Promise<string> {
  return runInThread<string>(script, { password })
}

/** Compares a password with a hash in a thread. Must run inside `inPasswordQueue`. */
export function isPassword(password: string, hash: string): Promise<boolean> {
  return runInThread<boolean>(script, { password, hash })
}
