import type { IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import type { Config } from '../../config.ts'

// Loaded without `import`, which would also load Node's fetch client: see http/adapters/http-module.ts.
const { get: getOverHttp } = process.getBuiltinModule('node:http')

type Listening = Pick<Config, 'host' | 'port' | 'tls'>

const timeoutMs = 3000

export function linkUrl(config: Listening & Pick<Config, 'publicUrl'>): string {
  return config.publicUrl ?? listeningUrl(config)
}

export function listeningUrl({ host, port, tls }: Listening): string {
  return `${tls === null ? 'http' : 'https'}://${reachable(host)}:${port}`
}

/** Replaces a wildcard address such as 0.0.0.0, which a browser cannot open, by the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

export async function isAtrium(url: string): Promise<boolean> {
  const response = await request(`${url}/v1/me`)
  return /realm="atrium"/.test(response?.headers['www-authenticate'] ?? '')
}

/** Sends a GET without secrets. Does not verify the certificate, which is seldom issued for a local address. */
export function request(url: string): Promise<IncomingMessage | undefined> {
  const get = url.startsWith('https:') ? getOverTls : getOverHttp
  const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(timeoutMs) } as const
  return new Promise((resolve) => {
    const sent = get(url, options, (response) => resolve(response.resume()))
    sent.on('error', () => resolve(undefined))
  })
}
