import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isInRanges } from '../domain/access/address-range.ts'
import { isPublicAddress } from '../domain/webhook/public-address.ts'

/** Whoever may choose where we connect to learns nothing of names and addresses inside. */
export class AddressRefused extends Error {
  constructor() {
    super('the address does not lead to the public Internet')
  }
}

/** A name for which the machine finds no address. Those who chose it are told the same as of one that is refused. */
export class NameUnknown extends AddressRefused {}

/** In the clear only into networks that the operator has named. */
export type MayReach = (address: string) => boolean

export function reach(allowedRanges: readonly string[], isEncrypted: boolean): MayReach {
  return (address) => isInRanges(address, allowedRanges) || (isEncrypted && isPublicAddress(address))
}

/** An address in the place of a name is connected to without being looked up. */
export function demandReachable(hostname: string, mayReach: MayReach): void {
  const address = addressIn(hostname)
  if (isIP(address) !== 0 && !mayReach(address)) throw new AddressRefused()
}

/** Takes the brackets from an IPv6 address, as URLs write it. */
export function addressIn(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Finds all addresses of a name, as the machine does it. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export const asTheMachineDoes: Resolve = lookup

/**
 * Looks a name up for the connection that is about to be made, which uses what is found here and nothing else: there is
 * no second look that could find something else. A name that has an inside beside an outside is refused whole.
 */
export function lookupWithin(mayReach: MayReach, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : []
      if (first === undefined) return callback(new NameUnknown(), '')
      if (!addresses.every(({ address }) => mayReach(address))) return callback(new AddressRefused(), '')
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** Returns all addresses of a name, or throws where one of them is not to be reached. */
export function addressesWithin(hostname: string, mayReach: MayReach, resolve: Resolve): Promise<string[]> {
  demandReachable(hostname, mayReach)
  const literal = addressIn(hostname)
  if (isIP(literal) !== 0) return Promise.resolve([literal])
  return new Promise((found, reject) => {
    lookupWithin(mayReach, resolve)(hostname, { all: true }, (error, addresses) => {
      if (error === null) found((addresses as LookupAddress[]).map(({ address }) => address))
      else reject(error)
    })
  })
}
