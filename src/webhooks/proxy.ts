import { request as requestEncrypted } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { isInRanges, parseAddressRange } from '../domain/access/address-range.ts'
import { addressesWithin, addressIn, type MayReach, NameUnknown, type Resolve } from './address.ts'

// Imported, it would load the client behind `fetch` at every start: see http/node-http.ts.
const { request: requestInTheClear } = process.getBuiltinModule('node:http')

/** The operator's proxy for connections that leave the network. */
export interface OutboundProxy {
  url: string
  exceptions: readonly string[]
  target: 'address' | 'name'
}

/** What the proxy said is not told: it could speak of what is inside. */
export class ProxyFailed extends Error {
  constructor() {
    super('the outbound proxy made no connection')
  }
}

/**
 * Decides what the proxy is asked to connect to. The name is looked up here and every address is judged, as without a
 * proxy. The proxy is then given one of those addresses, so that there is no second look-up that could find another. Only
 * where the operator has chosen `name` does it get the name, and only there may the name be one that this machine cannot
 * look up: what such a name leads to is for the proxy to judge. Returns undefined where no proxy is to be used.
 */
export async function proxyTarget(
  { hostname, port }: Pick<URL, 'hostname' | 'port'>,
  { exceptions, target }: OutboundProxy,
  mayReach: MayReach,
  resolve: Resolve,
): Promise<string | undefined> {
  const addresses = await addressesWithin(hostname, mayReach, resolve).catch((error: unknown) => {
    if (error instanceof NameUnknown && target === 'name' && isOfTheInternet(hostname)) return []
    throw error
  })
  if (isException(hostname, port || '443', addresses, exceptions)) return undefined
  // A proxy without IPv6 is common, one without IPv4 is not.
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0]
  const host = target === 'name' || address === undefined ? hostname : address
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port || 443}`
}

/** Names that no public registry hands out (RFC 6761, RFC 6762, RFC 8375) mean something inside. */
function isOfTheInternet(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return /\./.test(name) && !/(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/i.test(name)
}

/** The forms that are usual in NO_PROXY: `*`, a name with all below it, `.domain`, an address or range, each with a port. */
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

/** Opens a tunnel through the proxy and TLS in it. The certificate is checked against `hostname`, as without a proxy. */
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
