import type { ServerRole } from './connection.ts'

/** One of the servers that ATRIUM_DATABASE or ATRIUM_DATABASE_REPLICA names. */
export interface Server {
  /** The host and port, without credentials, for use in messages. */
  name: string
  /** URLs for the driver `pg`, one for each encryption mode to try, in order. The first one that works is used. */
  urls: string[]
}

const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s
/** The setting that names the servers, and the values of `target_session_attrs` that permit a server of the role. */
const roles = {
  primary: {
    setting: 'ATRIUM_DATABASE',
    attributes: ['any', 'read-write', 'primary'],
    need: 'the server that takes writes',
  },
  standby: {
    setting: 'ATRIUM_DATABASE_REPLICA',
    attributes: ['any', 'read-only', 'standby', 'prefer-standby'],
    need: 'a standby',
  },
}
/** The modes that libpq tries for each `sslmode`, in order. `no-verify` exists only in the driver `pg`. */
const sslModes: Record<string, string[]> = {
  disable: ['disable'],
  allow: ['disable', 'prefer'],
  prefer: ['prefer', 'disable'],
  require: ['require'],
  'no-verify': ['prefer'],
  'verify-ca': ['verify-ca'],
  'verify-full': ['verify-full'],
}

/** Parses a PostgreSQL connection URI, which can name several servers: `postgres://user@one:5432,two:5433/name`. */
export function serversOf(url: string, role: ServerRole = 'primary'): Server[] {
  const { setting } = roles[role]
  const [, before = '', hosts = '', after = ''] = form.exec(url) ?? []
  const names = hosts.split(',')
  if (names.length > 1 && names.includes('')) throw new Error(`${setting} has an empty host between commas`)
  const servers = names.map((name) => ({ name, urls: [before + name + after] }))
  const settings = new URLSearchParams(after.slice(after.indexOf('?') + 1))
  assertAttributes(settings.get('target_session_attrs') ?? 'any', role)
  return servers.map(({ name, urls: [one = url] }) => ({
    name: name || settings.get('host') || 'localhost',
    urls: urlsByEncryption(one, settings, setting),
  }))
}

function assertAttributes(value: string, role: ServerRole): void {
  const { setting, attributes, need } = roles[role]
  if (attributes.includes(value)) return
  throw new Error(
    `target_session_attrs in ${setting} must be one of ${attributes.join(', ')}, not "${value}": Atrium needs ${need}`,
  )
}

/** Returns a URL per encryption mode to try. `uselibpqcompat` makes `pg` interpret `sslmode` as libpq does. */
function urlsByEncryption(url: string, settings: URLSearchParams, setting: string): string[] {
  const mode = settings.get('sslmode')
  const file = settings.get('sslrootcert')
  if (mode === null && file === null) return [url]
  const modes = sslModes[mode ?? 'verify-full']
  if (modes === undefined) {
    throw new Error(`sslmode in ${setting} must be one of ${Object.keys(sslModes).join(', ')}, not "${mode}"`)
  }
  if (mode === 'verify-ca' && file === null) {
    throw new Error(`sslmode=verify-ca in ${setting} needs sslrootcert, the file of the certificate to verify against`)
  }
  const others = url.replace(/(?<=[?&])(sslmode|uselibpqcompat)=[^&#]*&?/g, '').replace(/[?&]$/, '')
  const mark = others.includes('?') ? '&' : '?'
  return modes.map((one) => `${others}${mark}uselibpqcompat=true&sslmode=${one}`)
}
