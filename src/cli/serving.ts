import { setTimeout as sleep } from 'node:timers/promises'
import { type Service, type ServiceOptions, startService } from '../app.ts'
import type { Config } from '../config.ts'
import { recordNodeUrl } from '../operations/node-url.ts'
import { linkUrl } from './access/own-address.ts'
import type { DemoNotice } from './lifecycle.ts'
import { withOpenDatabase } from './with-database.ts'

export interface Serving extends Pick<Service, 'url' | 'server' | 'draining' | 'close'> {
  loadDemo(): Promise<DemoNotice>
}

async function startServing(config: Config, options: ServiceOptions = {}): Promise<Serving> {
  const { db, send, log, ...service } = await startService(config, options).catch(async (error: unknown) => {
    if (options.signal?.aborted) throw error
    // Opens the database again: if its setting is wrong, this throws an error that names the setting, which helps more.
    await withOpenDatabase(config, async () => {})
    throw error
  })
  const { port } = new URL(service.url)
  const url = linkUrl({ ...config, port: port === '' ? config.port : Number(port) })
  await recordNodeUrl(db, url).catch(({ message }: Error) =>
    log({ reason: message }, 'could not store the address of this node'),
  )
  return {
    ...service,
    loadDemo: async () => {
      const { demoText, demoView, loadDemo } = await import('./estate/demo.ts')
      const demo = await loadDemo(db, config, { send, log })
      return { text: demoText(demo, url), view: demoView(demo, url) }
    },
  }
}

/** How long the rollback of a migration may take. Then the process ends, which rolls it back as well. */
const rollbackMs = 2000

export async function startUnlessStopped(
  stopRequested: Promise<unknown>,
  config: Config,
  options: ServiceOptions = {},
): Promise<Serving | undefined> {
  const stopped = new AbortController()
  const starting = startServing(config, { ...options, signal: stopped.signal })
  const serving = await Promise.race([starting, stopRequested.then(() => undefined)])
  if (serving !== undefined) return serving
  stopped.abort()
  const started = await Promise.race([starting.catch(() => undefined), sleep(rollbackMs, undefined, { ref: false })])
  await started?.close()
  return undefined
}
