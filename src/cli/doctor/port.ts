import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import type { Finding } from '../../storage/engine.ts'
import { isAtrium, listeningUrl, request } from '../access/own-address.ts'

/** Checks that the port is free, or else that the program which uses it is an Atrium that is ready. */
export async function checkPort(config: Config): Promise<Finding> {
  const { host, port } = config
  const check = 'port'
  if (port === 0) return { check, ok: true, detail: `0: a free port on ${host} is chosen at the start` }
  const url = listeningUrl(config)
  const fault = await listenFault(host, port)
  if (fault === undefined) return { check, ok: true, detail: `${port} on ${host} is free` }
  if (fault !== 'EADDRINUSE') {
    const advice = 'Set ATRIUM_HOST to an address of this machine, and ATRIUM_PORT to a port that this user may open.'
    return { check, ok: false, detail: `${port} on ${host} cannot be opened (${fault})`, advice }
  }
  if (!(await isAtrium(url))) {
    const advice = 'Stop that program, or set ATRIUM_PORT to another port.'
    return { check, ok: false, detail: `${port} on ${host} is used by another program`, advice }
  }
  const ready = await request(`${url}/readyz`)
  if (ready?.statusCode === 200) return { check, ok: true, detail: `Atrium runs on ${url} and is ready` }
  const advice = 'Read its log: it cannot reach its database, or it is shutting down.'
  return { check, ok: false, detail: `Atrium runs on ${url} but is not ready`, advice }
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
