/** Generates load in a process of its own, one job after another, as sent by the parent process. */
import { collect } from './driver/collect.ts'
import { load } from './driver/load.ts'
import type { CollectJob, DriverResult, LoadJob } from './job.ts'

async function run(job: LoadJob | CollectJob): Promise<DriverResult> {
  try {
    return job.kind === 'load' ? { result: await load(job) } : { taken: await collect(job) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', async (job: LoadJob | CollectJob) => {
  const result = await run(job)
  globalThis.gc?.()
  process.send?.(result)
})
process.on('disconnect', () => process.exit(0))
