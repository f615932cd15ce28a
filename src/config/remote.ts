import { ConfigError, type Env } from './read.ts'
import { fileSetting } from './settings.ts'

/** A running installation that commands reach through its CMS API, in place of a direct connection to its database. */
export interface RemoteConfig {
  url: string
  /** The key of an operator, `atk_…`. */
  key: string
}

export function readRemote({ ATRIUM_SERVER: server, ATRIUM_KEY: key }: Env): RemoteConfig | null {
  if (!server) return null
  const { protocol = '', search, hash } = URL.parse(server) ?? {}
  if (!/^https?:$/.test(protocol) || search || hash || /\/\/[^/]*@/.test(server)) {
    throw new ConfigError('ATRIUM_SERVER must be a URL such as https://atrium.example')
  }
  if (!key) {
    throw new ConfigError(
      `ATRIUM_SERVER needs the key of an operator: set ${fileSetting('ATRIUM_KEY')}, or use --key - with the key on standard input`,
    )
  }
  if (!/^atk_[0-9A-Za-z_]+$/.test(key))
    throw new ConfigError('ATRIUM_KEY must be the key of an operator, which begins with atk_')
  return { url: server.replace(/\/+$/, ''), key }
}
