import type { Config } from '../../config.ts'
import { explain } from '../failure.ts'
import { saveCompileCache } from '../lifecycle.ts'
import { type Serving, startUnlessStopped } from '../serving.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { reportConnections } from './report-connections.ts'
import { sharedMetrics } from './shared-metrics.ts'

export async function runWorker(config: Config): Promise<number> {
  // Ignores signals, which a terminal may send to all processes at once: the primary process decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const stopRequested = received('stop')
  const demoRequested = received('load demo')
  let exitCode = 0
  try {
    const serving = await startUnlessStopped(stopRequested, config, { metrics: sharedMetrics() })
    if (serving !== undefined) await serveUntil(stopRequested, demoRequested, serving)
  } catch (error) {
    exitCode = 1
    await sendToPrimary({
      kind: 'failed',
      line: explain(error),
      stack: error instanceof Error ? error.stack : undefined,
    })
  }
  process.disconnect()
  return exitCode
}

async function serveUntil(
  stopRequested: Promise<Received<'stop'>>,
  demoRequested: Promise<unknown>,
  serving: Serving,
): Promise<void> {
  reportConnections(serving)
  await sendToPrimary({ kind: 'ready', url: serving.url })
  saveCompileCache()
  const stop = await Promise.race([
    stopRequested,
    demoRequested.then(() => loadDemo(serving)).then(() => stopRequested),
  ])
  await serving.close(stop)
}

async function loadDemo(serving: Serving): Promise<void> {
  await sendToPrimary({ kind: 'demo', notice: await serving.loadDemo() })
}

type Received<Kind> = Extract<ToWorker, { kind: Kind }>

function received<Kind extends ToWorker['kind']>(kind: Kind): Promise<Received<Kind>> {
  return new Promise((resolve) => {
    process.on('message', (message: ToWorker) => message.kind === kind && resolve(message as Received<Kind>))
  })
}

function sendToPrimary(message: FromWorker): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}
