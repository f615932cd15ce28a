import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { isInRanges } from '../../domain/access/address-range.ts'

type From = Pick<Socket, 'remoteAddress'> & { encrypted?: boolean }

/** Uses X-Forwarded-* only if a trusted proxy is at the other end of the connection. */
export class Proxies {
  readonly #ranges: readonly string[]
  readonly #trusted = new WeakMap<From, boolean>()

  constructor(ranges: readonly string[]) {
    this.#ranges = ranges
  }

  /** Returns the caller's address. Its `remoteAddress` is undefined if the proxy sent no valid one. */
  from(socket: From, headers: IncomingHttpHeaders): Pick<Socket, 'remoteAddress'> {
    const chain = headers['x-forwarded-for']
    if (chain === undefined || !this.#isTrusted(socket)) return socket
    return { remoteAddress: this.#caller(String(chain).split(',')) }
  }

  /** Whether the caller uses TLS, either to Atrium itself or to a trusted proxy. */
  isEncrypted(socket: From, headers: IncomingHttpHeaders): boolean {
    if (socket.encrypted === true) return true
    return headers['x-forwarded-proto'] === 'https' && this.#isTrusted(socket)
  }

  /** Each proxy appends the address it got the request from: all before the last untrusted one could be forged. */
  #caller(chain: string[]): string | undefined {
    const addresses = chain.map(addressIn)
    const last = addresses.findLastIndex((address) => address === undefined || !isInRanges(address, this.#ranges))
    return addresses[Math.max(last, 0)]
  }

  #isTrusted(socket: From): boolean {
    if (this.#ranges.length === 0) return false
    let known = this.#trusted.get(socket)
    if (known === undefined) {
      known = isInRanges(socket.remoteAddress ?? '', this.#ranges)
      this.#trusted.set(socket, known)
    }
    return known
  }
}

/** Returns an IP address without the port that some proxies append, undefined if it is not one. */
function addressIn(text: string): string | undefined {
  const bare = text.trim().replace(/^\[(.*)\](:\d+)?$|^([^:]+):\d+$/, '$1$3')
  return isIP(bare) === 0 ? undefined : bare
}
