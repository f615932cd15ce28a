import { type Service, type ServiceOptions, startService } from '../app.ts'
import type { Config } from '../config.ts'
import { recordNodeUrl } from '../operations/node-url.ts'
import { linkUrl } from './access/own-address.ts'
import type { DemoNotice } from './lifecycle.ts'
import { withOpenDatabase } from './with-database.ts'

export interface Serving extends Pick<Service, 'url' | 'server' | 'draining' | 'close'> {
  loadDemo(): Promise<DemoNotice>
}

/** Starts the service in this process, which is the only one or one of several workers. */
export async function startServing(config: Config, options: ServiceOptions = {}): Promise<Serving> {
  const { db, send, log, ...service } = await startService(config, options).catch(async (error: unknown) => {
    // Opens the database once more, by itself: if its setting is wrong, this throws an error that names the setting,
    // which helps more than `error`.
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
