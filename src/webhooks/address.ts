import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isInRanges } from '../domain/access/address-range.ts'
import { isPublicAddress } from '../domain/webhook/public-address.ts'

/**
 * The error for a webhook address outside the public Internet (server-side request forgery). It has one message for all
 * cases, so that a partner who chooses the address learns nothing of names and addresses in the operator's network.
 */
export class AddressRefused extends Error {
  constructor() {
    super('the address does not lead to the public Internet')
  }
}

/**
 * The error for a name that DNS does not resolve. It has the message of its base class, so that a partner cannot tell
 * unknown names from forbidden ones.
 */
export class NameUnknown extends AddressRefused {}

/** Returns whether an address may be connected to. Unencrypted ones reach only ranges that the operator allows. */
export type AddressFilter = (address: string) => boolean

export function addressFilter(allowedRanges: readonly string[], isEncrypted: boolean): AddressFilter {
  return (address) => isInRanges(address, allowedRanges) || (isEncrypted && isPublicAddress(address))
}

/** Checks a literal IP address, for which Node calls no `lookup` function. */
export function assertReachable(hostname: string, isReachable: AddressFilter): void {
  const address = addressIn(hostname)
  if (isIP(address) !== 0 && !isReachable(address)) throw new AddressRefused()
}

/** Removes the brackets that URLs put around an IPv6 address. */
export function addressIn(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export const systemResolve: Resolve = lookup

/**
 * Returns a `lookup` function for sockets that refuses forbidden addresses. The connection uses the very address that was
 * checked, so that DNS rebinding cannot substitute another. A name with both public and internal addresses is refused.
 */
export function guardedLookup(isReachable: AddressFilter, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : []
      if (first === undefined) return callback(new NameUnknown(), '')
      if (!addresses.every(({ address }) => isReachable(address))) return callback(new AddressRefused(), '')
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** Returns all addresses of a name. Throws if one of them is forbidden. */
export function resolveReachable(hostname: string, isReachable: AddressFilter, resolve: Resolve): Promise<string[]> {
  assertReachable(hostname, isReachable)
  const literal = addressIn(hostname)
  if (isIP(literal) !== 0) return Promise.resolve([literal])
  return new Promise((found, reject) => {
    guardedLookup(isReachable, resolve)(hostname, { all: true }, (error, addresses) => {
      if (error === null) found((addresses as LookupAddress[]).map(({ address }) => address))
      else reject(error)
    })
  })
}
