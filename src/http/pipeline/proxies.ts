import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { isInRanges } from '../../domain/access/address-range.ts'

type From = Pick<Socket, 'remoteAddress'> & { encrypted?: boolean }

/** Finds out where requests come from. X-Forwarded-* counts only on connections from a trusted proxy. */
export class Proxies {
  readonly #ranges: readonly string[]
  readonly #trusted = new WeakMap<From, boolean>()

  constructor(ranges: readonly string[]) {
    this.#ranges = ranges
  }

  /** Returns the caller's address; its `remoteAddress` is undefined when a proxy sends none that can be parsed. */
  from(socket: From, headers: IncomingHttpHeaders): Pick<Socket, 'remoteAddress'> {
    const chain = headers['x-forwarded-for']
    if (chain === undefined || !this.#isTrusted(socket)) return socket
    return { remoteAddress: this.#caller(String(chain).split(',')) }
  }

  /** Whether the caller's connection is encrypted, which may end at a proxy. */
  isEncrypted(socket: From, headers: IncomingHttpHeaders): boolean {
    if (socket.encrypted === true) return true
    return headers['x-forwarded-proto'] === 'https' && this.#isTrusted(socket)
  }

  /**
   * Each proxy appends its peer. The last address that is no trusted proxy is the caller; the caller can forge all
   * before it.
   */
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

/** Returns the address without the port that some proxies append, undefined when it is not an IP address. */
function addressIn(text: string): string | undefined {
  const bare = text.trim().replace(/^\[(.*)\](:\d+)?$|^([^:]+):\d+$/, '$1$3')
  return isIP(bare) === 0 ? undefined : bare
}
