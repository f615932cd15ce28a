import { ConfigError, type Env, readChoice } from './read.ts'

/** A proxy by which this machine reaches the Internet (HTTP CONNECT). */
export interface ProxyConfig {
  url: string
  /** Names, domains, addresses and ranges that are reached without it, in the forms of NO_PROXY. */
  exceptions: string[]
  /** What it is asked for: an address that was judged here, or a name that it looks up itself. */
  target: 'address' | 'name'
}

export function readProxy(env: Env): ProxyConfig | null {
  const target = readChoice(env, 'ATRIUM_WEBHOOK_PROXY_TARGET', 'address', ['address', 'name']) as ProxyConfig['target']
  const url = env.HTTPS_PROXY || env.https_proxy
  if (!url) return null
  const { protocol = '', pathname = '/' } = URL.parse(url) ?? {}
  if (!/^https?:$/.test(protocol) || pathname !== '/') {
    // Not repeated here: it can hold a password.
    throw new ConfigError(
      'HTTPS_PROXY must be like http://proxy.example:3128, with USER:PASSWORD@ where it asks for them',
    )
  }
  const exceptions = (env.NO_PROXY || env.no_proxy || '').split(/[\s,]+/).filter((item) => item !== '')
  return { url, exceptions, target }
}
