import { get as getInTheClear, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import type { Config } from '../../config.ts'

type Listening = Pick<Config, 'host' | 'port' | 'tls'>

const patienceMs = 3000

/** Returns the address for a link that a person opens: ATRIUM_PUBLIC_URL, or what this machine listens on. */
export function linkUrl(config: Listening & Pick<Config, 'publicUrl'>): string {
  return config.publicUrl ?? listeningUrl(config)
}

/** Returns an address at which this machine can reach the service. */
export function listeningUrl({ host, port, tls }: Listening): string {
  return `${tls === null ? 'http' : 'https'}://${reachable(host)}:${port}`
}

/** Replaces the addresses that only mean "all of this machine's": no browser can open them. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Recognizes an Atrium by the realm that it asks a token for. */
export async function isAtrium(url: string): Promise<boolean> {
  const response = await answer(`${url}/v1/me`)
  return /realm="atrium"/.test(response?.headers['www-authenticate'] ?? '')
}

/** The name in a certificate is seldom that of this address: what is asked is who listens here, and no secret is sent. */
export function answer(url: string): Promise<IncomingMessage | undefined> {
  const get = url.startsWith('https:') ? getOverTls : getInTheClear
  const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(patienceMs) } as const
  return new Promise((resolve) => {
    const sent = get(url, options, (response) => resolve(response.resume()))
    sent.on('error', () => resolve(undefined))
  })
}
