import { BlockList, isIP } from 'node:net'

const widths = { 4: 32, 6: 128 }

/** A range in CIDR form, in lower case and with its prefix; a lone address is a range of one. */
export function parseAddressRange(text: string): string | undefined {
  const [, address = '', digits] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address) as 0 | 4 | 6
  if (family === 0) return undefined
  const prefix = Number(digits ?? widths[family])
  return prefix <= widths[family] ? `${address.toLowerCase()}/${prefix}` : undefined
}

const lists = new WeakMap<readonly string[], BlockList>()

/** Whether one of the ranges, as they were parsed, holds this address; what is no address is in none. */
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
