import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { isInRanges } from '../../domain/access/address-range.ts'

type From = Pick<Socket, 'remoteAddress'> & { encrypted?: boolean }

/** Where requests come from. What their headers say of it counts only where a proxy that is trusted has sent them. */
export class Proxies {
  readonly #ranges: readonly string[]
  readonly #trusted = new WeakMap<From, boolean>()

  constructor(ranges: readonly string[]) {
    this.#ranges = ranges
  }

  /** The caller's address, which is nothing when a proxy names none that can be read. */
  from(socket: From, headers: IncomingHttpHeaders): Pick<Socket, 'remoteAddress'> {
    const chain = headers['x-forwarded-for']
    if (chain === undefined || !this.#isTrusted(socket)) return socket
    return { remoteAddress: this.#caller(String(chain).split(',')) }
  }

  /** Whether the caller's own connection is, which may end at a proxy. */
  isEncrypted(socket: From, headers: IncomingHttpHeaders): boolean {
    if (socket.encrypted === true) return true
    return headers['x-forwarded-proto'] === 'https' && this.#isTrusted(socket)
  }

  /** Each proxy adds whom it was asked by. The last who is none of ours is the caller: all before it is hearsay. */
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

/** Some proxies add the port. */
function addressIn(text: string): string | undefined {
  const bare = text.trim().replace(/^\[(.*)\](:\d+)?$|^([^:]+):\d+$/, '$1$3')
  return isIP(bare) === 0 ? undefined : bare
}
