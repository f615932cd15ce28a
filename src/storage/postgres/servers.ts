const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s
/** Atrium reads and writes on one server, so all of them mean the same to it: the one that takes writes. */
const attributes = ['any', 'read-write', 'primary']

/** The servers that a URL names (`postgres://user@one:5432,two:5433/name`, as libpq takes it), each as a URL of its own. */
export function serversOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = form.exec(url) ?? []
  const servers = hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
  if (hosts.split(',').length > 1 && hosts.split(',').includes('')) {
    throw new Error('ATRIUM_DATABASE has an empty host between commas')
  }
  const asked = URL.parse(servers[0] as string)?.searchParams.get('target_session_attrs') ?? 'any'
  if (attributes.includes(asked)) return servers
  throw new Error(
    `target_session_attrs in ATRIUM_DATABASE must be one of ${attributes.join(', ')}, not "${asked}": Atrium needs the server that takes writes`,
  )
}
