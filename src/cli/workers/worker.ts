import type { Config } from '../../config.ts'
import { keepCompiledCode } from '../compiled-code.ts'
import { explain } from '../failure.ts'
import { type Serving, startServing } from '../serving.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { shareConnections } from './share.ts'
import { sharedMetrics } from './shared-metrics.ts'

/** One process of several. Nothing but the process that keeps them tells it what to do. */
export async function runWorker(config: Config): Promise<number> {
  // A terminal or service manager may send its signals to every process: that one passes them on, in order.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const asked = heard('stop')
  const demoAsked = heard('load demo')
  let exitCode = 0
  try {
    const serving = await startServing(config, { metrics: sharedMetrics() })
    shareConnections(serving)
    await tell({ kind: 'ready', url: serving.url })
    keepCompiledCode()
    const stop = await Promise.race([asked, demoAsked.then(() => demo(serving)).then(() => asked)])
    await serving.close(stop)
  } catch (error) {
    exitCode = 1
    await tell({ kind: 'failed', line: explain(error), stack: error instanceof Error ? error.stack : undefined })
  }
  process.disconnect()
  return exitCode
}

async function demo(serving: Serving): Promise<void> {
  await tell({ kind: 'demo', notice: await serving.loadDemo() })
}

type Heard<Kind> = Extract<ToWorker, { kind: Kind }>

function heard<Kind extends ToWorker['kind']>(kind: Kind): Promise<Heard<Kind>> {
  return new Promise((resolve) => {
    process.on('message', (message: ToWorker) => message.kind === kind && resolve(message as Heard<Kind>))
  })
}

function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}
