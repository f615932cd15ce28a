import { Failure } from './failure.ts'

/** Runs work that a signal such as Ctrl+C aborts. The error message then ends with `outcome`: what remains of it. */
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
