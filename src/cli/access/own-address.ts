import { get as getOverHttp, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import type { Config } from '../../config.ts'

type Listening = Pick<Config, 'host' | 'port' | 'tls'>

const timeoutMs = 3000

/** Returns the base address of links for people: ATRIUM_PUBLIC_URL, or the address on which this machine listens. */
export function linkUrl(config: Listening & Pick<Config, 'publicUrl'>): string {
  return config.publicUrl ?? listeningUrl(config)
}

/** Returns an address at which this machine can reach the service. */
export function listeningUrl({ host, port, tls }: Listening): string {
  return `${tls === null ? 'http' : 'https'}://${reachable(host)}:${port}`
}

/** Replaces wildcard addresses, which no browser can open, by loopback addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Recognizes Atrium by the realm in its WWW-Authenticate header. */
export async function isAtrium(url: string): Promise<boolean> {
  const response = await request(`${url}/v1/me`)
  return /realm="atrium"/.test(response?.headers['www-authenticate'] ?? '')
}

/**
 * Sends a GET without secrets; resolves to undefined when the request fails or times out. Certificates are not verified,
 * because they are seldom issued for the local address.
 */
export function request(url: string): Promise<IncomingMessage | undefined> {
  const get = url.startsWith('https:') ? getOverTls : getOverHttp
  const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(timeoutMs) } as const
  return new Promise((resolve) => {
    const sent = get(url, options, (response) => resolve(response.resume()))
    sent.on('error', () => resolve(undefined))
  })
}
