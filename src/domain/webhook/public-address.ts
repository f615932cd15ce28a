import { BlockList, isIP } from 'node:net'
import { isInRanges } from '../access/address-range.ts'

/** Special-purpose ranges (IANA registry, RFC 6890), multicast, and 168.63.129.16, which Azure uses internally. */
const notPublic = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** Public IPv6 addresses, without the special-purpose `exceptions`: some of these may hold a private IPv4 address. */
const globalUnicast = listOf6(['2000::/3'])
const exceptions = listOf6(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

function listOf6(ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), 'ipv6')
  }
  return list
}

/** Returns false for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !isInRanges(address, notPublic)
  // A zone (`%eth0`) occurs only in link-local addresses, which are not public.
  if (family !== 6 || address.includes('%')) return false
  return globalUnicast.check(address, 'ipv6') && !exceptions.check(address, 'ipv6')
}
