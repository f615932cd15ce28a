import { once } from 'node:events'
import { get as getInTheClear, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import type { Finding } from '../../storage/engine.ts'

const patienceMs = 3000

/** The port is free, or an Atrium answers on it. */
export async function checkPort({ host, port, tls }: Config): Promise<Finding> {
  const check = 'port'
  if (port === 0) return { check, ok: true, detail: `a free one on ${host} is picked at the start` }
  const url = `${tls === null ? 'http' : 'https'}://${reachable(host)}:${port}`
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

/** An Atrium can be told by the realm it asks a token for. */
async function isAtrium(url: string): Promise<boolean> {
  const response = await answer(`${url}/v1/me`)
  return /realm="atrium"/.test(response?.headers['www-authenticate'] ?? '')
}

/** The name in a certificate is seldom that of this address: what is asked is who listens here, and no secret is sent. */
function answer(url: string): Promise<IncomingMessage | undefined> {
  const get = url.startsWith('https:') ? getOverTls : getInTheClear
  const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(patienceMs) } as const
  return new Promise((resolve) => {
    const sent = get(url, options, (response) => resolve(response.resume()))
    sent.on('error', () => resolve(undefined))
  })
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
