/** One server that ATRIUM_DATABASE names. */
export interface Server {
  /** Its host and port, without user and password. */
  name: string
  /** As the driver takes them; of several the first that works, see `sslmode` below. */
  urls: string[]
}

const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s
/** Atrium reads and writes on one server, so all of them mean the same to it: the one that takes writes. */
const attributes = ['any', 'read-write', 'primary']
/** What the driver is told for each `sslmode` of libpq, in the order in which libpq tries; `no-verify` is the driver's own. */
const sslModes: Record<string, string[]> = {
  disable: ['disable'],
  allow: ['disable', 'prefer'],
  prefer: ['prefer', 'disable'],
  require: ['require'],
  'no-verify': ['prefer'],
  'verify-ca': ['verify-ca'],
  'verify-full': ['verify-full'],
}

/** The servers that a URL names (`postgres://user@one:5432,two:5433/name`, as libpq takes it). */
export function serversOf(url: string): Server[] {
  const [, before = '', hosts = '', after = ''] = form.exec(url) ?? []
  const names = hosts.split(',')
  if (names.length > 1 && names.includes('')) throw new Error('ATRIUM_DATABASE has an empty host between commas')
  const servers = names.map((name) => ({ name, urls: [before + name + after] }))
  const settings = new URLSearchParams(after.slice(after.indexOf('?') + 1))
  assertAttributes(settings.get('target_session_attrs') ?? 'any')
  return servers.map(({ name, urls: [one = url] }) => ({
    name: name || settings.get('host') || 'localhost',
    urls: encryptions(one, settings),
  }))
}

function assertAttributes(asked: string): void {
  if (attributes.includes(asked)) return
  throw new Error(
    `target_session_attrs in ATRIUM_DATABASE must be one of ${attributes.join(', ')}, not "${asked}": Atrium needs the server that takes writes`,
  )
}

/** The driver's `uselibpqcompat` gives most values of `sslmode` the meaning that they have for libpq. */
function encryptions(url: string, settings: URLSearchParams): string[] {
  const mode = settings.get('sslmode')
  const file = settings.get('sslrootcert')
  if (mode === null && file === null) return [url]
  const modes = sslModes[mode ?? 'verify-full']
  if (modes === undefined) {
    throw new Error(`sslmode in ATRIUM_DATABASE must be one of ${Object.keys(sslModes).join(', ')}, not "${mode}"`)
  }
  if (mode === 'verify-ca' && file === null) {
    throw new Error(
      'sslmode=verify-ca in ATRIUM_DATABASE needs sslrootcert, the file of the certificate to verify against',
    )
  }
  const others = url.replace(/(?<=[?&])(sslmode|uselibpqcompat)=[^&#]*&?/g, '').replace(/[?&]$/, '')
  const mark = others.includes('?') ? '&' : '?'
  return modes.map((one) => `${others}${mark}uselibpqcompat=true&sslmode=${one}`)
}
