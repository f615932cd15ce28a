/** Generates load in a process of its own, one job after another, as sent by the parent process. */
import { collect } from './driver/collect.ts'
import { load } from './driver/load.ts'
import type { CollectJob, DriverAnswer, LoadJob } from './job.ts'

async function run(job: LoadJob | CollectJob): Promise<DriverAnswer> {
  try {
    return job.kind === 'load' ? { result: await load(job) } : { taken: await collect(job) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', async (job: LoadJob | CollectJob) => {
  const answer = await run(job)
  globalThis.gc?.()
  process.send?.(answer)
})
process.on('disconnect', () => process.exit(0))
