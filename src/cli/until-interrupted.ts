import { Failure } from './failure.ts'

/**
 * Runs work that must clean up when interrupted: a signal aborts the work and does not end the process. The error
 * message then ends with `outcome`, which says what remains of the work.
 */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  outcome = 'nothing was written',
): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, interrupt)
  try {
    return await work(controller.signal)
  } catch (error) {
    throw controller.signal.aborted ? new Failure(`interrupted: ${outcome}`) : error
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}
