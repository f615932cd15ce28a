import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { CollectJob, DriverResult, LoadJob, LoadResult } from './job.ts'
import { start } from './processes.ts'

export async function loadServer(job: Omit<LoadJob, 'kind'>): Promise<LoadResult> {
  const reply = await drive({ kind: 'load', ...job })
  if ('result' in reply) return reply.result
  throw new Error('failure' in reply ? reply.failure : 'the driver sent an unexpected message')
}

export async function collectFrom(job: Omit<CollectJob, 'kind'>): Promise<string[]> {
  if (job.requests.length === 0) return []
  const reply = await drive({ kind: 'collect', ...job })
  if ('taken' in reply) return reply.taken
  throw new Error('failure' in reply ? reply.failure : 'the driver sent an unexpected message')
}

let running: ChildProcess | undefined

/**
 * Reduces garbage collection in the driver to a minimum, and collects between jobs: a collection takes CPU time from the
 * measured servers, and pauses the load.
 */
const flags = ['--expose-gc', '--heap-growing-percent=1000', '--min-semi-space-size=64', '--max-semi-space-size=64']

/** Uses one driver process for the whole run, so that the JIT has optimized it equally in all rounds. */
function driver(): ChildProcess {
  running ??= start(process.execPath, [...flags, join(import.meta.dirname, 'driver.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return running
}

async function drive(job: LoadJob | CollectJob): Promise<DriverResult> {
  const child = driver()
  const { promise, resolve } = Promise.withResolvers<DriverResult>()
  const gone = () => resolve({ failure: 'the driver exited before it sent its result' })
  child.once('exit', gone).once('message', (result) => resolve(result as DriverResult))
  child.send(job)
  try {
    return await promise
  } finally {
    child.off('exit', gone)
  }
}
