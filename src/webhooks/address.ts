import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isInRanges } from '../domain/access/address-range.ts'
import { isPublicAddress } from '../domain/webhook/public-address.ts'

/**
 * Thrown for a forbidden address, to prevent server-side request forgery. The message is always the same, so that
 * partners, who choose the address, learn nothing about the operator's network.
 */
export class AddressRefused extends Error {
  constructor() {
    super('the address does not lead to the public Internet')
  }
}

/** Has the same message as AddressRefused: partners cannot distinguish unknown names from forbidden ones. */
export class NameUnknown extends AddressRefused {}

/** Returns whether a webhook may be sent to an address. Plain HTTP is sent only to ranges that the operator allows. */
export type AddressFilter = (address: string) => boolean

export function addressFilter(allowedRanges: readonly string[], isEncrypted: boolean): AddressFilter {
  return (address) => isInRanges(address, allowedRanges) || (isEncrypted && isPublicAddress(address))
}

/** Checks a host that is an IP address, for which Node does not call the `lookup` function that checks names. */
export function assertReachable(hostname: string, isReachable: AddressFilter): void {
  const address = addressIn(hostname)
  if (isIP(address) !== 0 && !isReachable(address)) throw new AddressRefused()
}

/** Removes the brackets that URLs put around an IPv6 address. */
export function addressIn(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Resolves a host name to its addresses. Tests replace it. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export const systemResolve: Resolve = lookup

/**
 * Refuses a name if any of its addresses is forbidden. The socket connects to an address that was checked, so that a
 * second DNS response (DNS rebinding) cannot replace it.
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

/** Rejects if one of the addresses is forbidden. */
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
