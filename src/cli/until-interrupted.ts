import { Failure } from './failure.ts'

/** For work that leaves something half-made behind if it is just ended: on a signal it gets the time to clear up. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, interrupt)
  try {
    return await work(controller.signal)
  } catch (error) {
    throw controller.signal.aborted ? new Failure('interrupted: nothing was left behind') : error
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}
