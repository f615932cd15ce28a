import { ConfigError, type Env, readChoice } from './read.ts'

/** The HTTP proxy (CONNECT) through which webhooks are sent. */
export interface ProxyConfig {
  url: string
  exceptions: string[]
  /** Whether CONNECT names an address that Atrium resolved and checked, or a name that the proxy resolves. */
  target: 'address' | 'name'
}

export function readProxy(env: Env): ProxyConfig | null {
  const target = readChoice(env, 'ATRIUM_WEBHOOK_PROXY_TARGET', ['address', 'name']) as ProxyConfig['target']
  const url = env.HTTPS_PROXY || env.https_proxy
  if (!url) return null
  const { protocol = '', pathname = '/' } = URL.parse(url) ?? {}
  if (!/^https?:$/.test(protocol) || pathname !== '/') {
    // Omits the URL from the message, since it can contain a password.
    throw new ConfigError(
      'HTTPS_PROXY must be like http://proxy.example:3128, with USER:PASSWORD@ where it asks for them',
    )
  }
  const exceptions = (env.NO_PROXY || env.no_proxy || '').split(/[\s,]+/).filter((item) => item !== '')
  return { url, exceptions, target }
}
