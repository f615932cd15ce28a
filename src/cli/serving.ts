import type { Server } from 'node:http'
import type { Config } from '../config.ts'
import { type ServiceOptions, startService } from '../service.ts'
import type { DemoNotice } from './ready.ts'
import { withOpenDatabase } from './with-database.ts'

export interface Serving {
  url: string
  server: Server
  loadDemo(): Promise<DemoNotice>
  close(): Promise<void>
}

/** The service as one process runs it, alone or beside others. */
export async function startServing(config: Config, options: ServiceOptions = {}): Promise<Serving> {
  const { url, server, db, close } = await startService(config, options).catch(async (error: unknown) => {
    // Opened alone, it says what is wrong with the setting if it cannot be.
    await withOpenDatabase(config, async () => {})
    throw error
  })
  return {
    url,
    server,
    close,
    loadDemo: async () => {
      const { demoText, demoView, loadDemo } = await import('./demo.ts')
      const partners = await loadDemo(db, config)
      return { text: demoText(partners, url), view: demoView(partners) }
    },
  }
}
