import { Failure } from './failure.ts'

/** A signal aborts the work, which then cleans up; `outcome` ends the error message: what remains of the work. */
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
