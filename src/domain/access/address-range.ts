import { BlockList, isIP } from 'node:net'

const widths = { 4: 32, 6: 128 }

/** Normalizes a CIDR range: lower case, with its prefix length. A single address becomes a range of one. */
export function parseAddressRange(text: string): string | undefined {
  const [, address = '', digits] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address) as 0 | 4 | 6
  if (family === 0) return undefined
  const prefix = Number(digits ?? widths[family])
  return prefix <= widths[family] ? `${address.toLowerCase()}/${prefix}` : undefined
}

const lists = new WeakMap<readonly string[], BlockList>()

/** Returns whether an address is in one of these normalized ranges. Text that is not an address is in none. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const family = isIP(address)
  if (family === 0) return false
  let list = lists.get(ranges)
  if (list === undefined) {
    list = listOf(ranges)
    lists.set(ranges, list)
  }
  return list.check(address, nameOf(family))
}

/** Returns what rate limits count by: the IPv4 address or, since a client can use all of it, the IPv6 /64 network. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address
  const [head = [], tail] = address.replace(/%.*/, '').split('::').map(groupsOf)
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  return `${[...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].slice(0, 4).join(':')}::/64`
}

/**
 * Returns the 16-bit groups of a part of an IPv6 address, without leading zeros. An IPv4 address at the end becomes two
 * groups `0`: it is never in the first four groups, and `networkOf` needs only these.
 */
function groupsOf(part: string): string[] {
  const groups = part === '' ? [] : part.replace(/[\d.]+\.[\d.]+/, '0:0').split(':')
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    const family = isIP(network) as 4 | 6
    list.addSubnet(network, Number(bits ?? widths[family]), nameOf(family))
  }
  return list
}

function nameOf(family: number): 'ipv4' | 'ipv6' {
  return family === 6 ? 'ipv6' : 'ipv4'
}
