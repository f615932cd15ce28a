import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isInRanges } from '../domain/address-range.ts'
import { isPublicAddress } from '../domain/public-address.ts'

/** Whoever may choose where we connect to learns nothing of names and addresses inside. */
export class AddressRefused extends Error {
  constructor() {
    super('the address does not lead to the public Internet')
  }
}

/** In the clear only into networks that the operator has named. */
export type MayReach = (address: string) => boolean

export function reach(allowedRanges: readonly string[], isEncrypted: boolean): MayReach {
  return (address) => isInRanges(address, allowedRanges) || (isEncrypted && isPublicAddress(address))
}

/** An address in the place of a name is connected to without being looked up. */
export function demandReachable(hostname: string, mayReach: MayReach): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0 && !mayReach(address)) throw new AddressRefused()
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
      if (first === undefined || !addresses.every(({ address }) => mayReach(address)))
        return callback(new AddressRefused(), '')
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
