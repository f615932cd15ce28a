import { request as requestEncrypted } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { isInRanges, parseAddressRange } from '../domain/access/address-range.ts'
import { type AddressFilter, addressIn, NameUnknown, type Resolve, resolveReachable } from './address.ts'

// Loaded without `import`, which would also load Node's fetch client: see http/adapters/http-module.ts.
const { request: requestInTheClear } = process.getBuiltinModule('node:http')

export interface OutboundProxy {
  url: string
  exceptions: readonly string[]
  target: 'address' | 'name'
}

/** Omits the proxy's own message, which could reveal the internal network. */
export class ProxyFailed extends Error {
  constructor() {
    super('the outbound proxy made no connection')
  }
}

/**
 * Returns the host and port to which the proxy must connect; undefined if the connection needs no proxy. Refuses
 * forbidden addresses, as without a proxy. The proxy gets a checked address and not the name, which it could resolve
 * differently. With `target: 'name'`, it gets the name, even an unresolvable one, and has to check it.
 */
export async function proxyTarget(
  { hostname, port }: Pick<URL, 'hostname' | 'port'>,
  { exceptions, target }: OutboundProxy,
  isReachable: AddressFilter,
  resolve: Resolve,
): Promise<string | undefined> {
  const addresses = await resolveReachable(hostname, isReachable, resolve).catch((error: unknown) => {
    if (error instanceof NameUnknown && target === 'name' && isOfTheInternet(hostname)) return []
    throw error
  })
  if (isException(hostname, port || '443', addresses, exceptions)) return undefined
  // Prefers IPv4, because many proxies have no IPv6.
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0]
  const host = target === 'name' || address === undefined ? hostname : address
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port || 443}`
}

/** Returns false for names of internal networks, which public DNS cannot resolve (RFC 6761, RFC 6762, RFC 8375). */
function isOfTheInternet(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return /\./.test(name) && !/(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/i.test(name)
}

/** `exceptions` is as in NO_PROXY: `*`, `name` with its subdomains, `.name`, an address or range, `name:port`. */
function isException(hostname: string, port: string, addresses: string[], exceptions: readonly string[]): boolean {
  const own = [addressIn(hostname) ?? '', ...addresses].filter((one) => isIP(one) !== 0)
  return exceptions.some((item) => {
    if (item === '*') return true
    const range = parseAddressRange(item.replace(/^\[(.*)\]$/, '$1'))
    if (range !== undefined) return own.some((address) => isInRanges(address, [range]))
    const [, name = '', ofPort = port] = /^\*?\.?([^:]+)(?::(\d+))?$/.exec(item.toLowerCase()) ?? []
    return name !== '' && ofPort === port && `.${hostname}`.endsWith(`.${name}`)
  })
}

/** Opens a TLS connection to the target through the proxy. The certificate of the target is verified for `hostname`. */
export async function connectThrough(
  proxy: OutboundProxy,
  target: string,
  hostname: string,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await tunnel(proxy, target, signal)
  const name = addressIn(hostname)
  const isAddress = isIP(name) !== 0
  return connect({ socket, host: name, ALPNProtocols: ['http/1.1'], ...(!isAddress && { servername: name }) })
}

function tunnel({ url }: OutboundProxy, target: string, signal: AbortSignal): Promise<Socket> {
  const { protocol, username, password, origin } = new URL(url)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  const headers = { host: target, ...(username !== '' && { 'proxy-authorization': authorization }) }
  return new Promise((resolve, reject) => {
    const request = protocol === 'https:' ? requestEncrypted : requestInTheClear
    const sent = request(origin, { method: 'CONNECT', path: target, agent: false, signal, headers })
    sent.on('connect', ({ statusCode }, socket, head) => {
      if (statusCode === 200 && head.length === 0) return resolve(socket)
      socket.destroy()
      reject(new ProxyFailed())
    })
    sent.on('error', () => reject(new ProxyFailed()))
    sent.on('close', () => reject(new ProxyFailed()))
    sent.end()
  })
}
