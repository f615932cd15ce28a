import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import type { Finding } from '../../storage/engine.ts'
import { answer, isAtrium, listeningUrl } from '../access/own-address.ts'

/** The port is free, or an Atrium answers on it. */
export async function checkPort(config: Config): Promise<Finding> {
  const { host, port } = config
  const check = 'port'
  if (port === 0) return { check, ok: true, detail: `a free one on ${host} is picked at the start` }
  const url = listeningUrl(config)
  const fault = await listenFault(host, port)
  if (fault === undefined) return { check, ok: true, detail: `${port} on ${host} is free` }
  if (fault !== 'EADDRINUSE') {
    const advice = 'Choose an address of this machine in ATRIUM_HOST, and a port this user may open in ATRIUM_PORT.'
    return { check, ok: false, detail: `${port} on ${host} cannot be opened (${fault})`, advice }
  }
  if (!(await isAtrium(url))) {
    const advice = 'Stop it, or choose another port in ATRIUM_PORT.'
    return { check, ok: false, detail: `${port} on ${host} is taken by another program`, advice }
  }
  const ready = await answer(`${url}/readyz`)
  if (ready?.statusCode === 200) return { check, ok: true, detail: `Atrium answers on ${url} and is ready` }
  const advice = 'Look at its log: it cannot reach its database, or it is about to stop.'
  return { check, ok: false, detail: `Atrium answers on ${url} but is not ready`, advice }
}

async function listenFault(host: string, port: number): Promise<string | undefined> {
  const probe = createServer().listen({ host, port, exclusive: true })
  try {
    await once(probe, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    probe.close()
  }
}
