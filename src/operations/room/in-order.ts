import { Refusal } from '../../domain/refusal.ts'

/** `failed` is the index of the operation that failed. */
export function notAttempted(failed?: number): Refusal {
  const which = failed === undefined ? 'Another operation of this call' : `Operation ${failed} (counted from 0)`
  return new Refusal('not_attempted', `${which} failed, so this one was not carried out.`)
}

/**
 * Runs operations concurrently, but those on one room in order. If one fails, does not attempt the later ones on its
 * room, because they expect the state that it would have left. The promise settles only when no operation runs any
 * more.
 */
export async function runInOrder<O, T>(
  operations: readonly O[],
  roomsOf: (operation: O) => string[],
  maxConcurrent: number,
  run: (operation: O, index: number) => Promise<T>,
): Promise<(T | Refusal)[]> {
  const results: (T | Refusal)[] = []
  /** By room id, a promise of whether the last operation that was started on the room succeeds. */
  const last = new Map<string, Promise<boolean>>()
  const attempt = async (operation: O, index: number, before: (Promise<boolean> | undefined)[]): Promise<boolean> => {
    const isClear = !(await Promise.all(before)).includes(false)
    const result = isClear ? await run(operation, index).catch(refusalOnly) : notAttempted()
    results[index] = result
    return !(result instanceof Refusal)
  }
  const remaining = operations.entries()
  const work = async () => {
    for (const [index, operation] of remaining) {
      const rooms = roomsOf(operation)
      const before = rooms.map((room) => last.get(room))
      const done = attempt(operation, index, before)
      for (const room of rooms) last.set(room, done)
      await done
    }
  }
  const workers = Array.from({ length: Math.min(maxConcurrent, operations.length) }, work)
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason
  return results
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
