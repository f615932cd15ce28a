import { isIP } from 'node:net'

const widths = { 4: 32, 6: 128 }

/** A range in CIDR form, in lower case and with its prefix; a lone address is a range of one. */
export function parseAddressRange(text: string): string | undefined {
  const [, address = '', digits] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address) as 0 | 4 | 6
  if (family === 0) return undefined
  const prefix = Number(digits ?? widths[family])
  return prefix <= widths[family] ? `${address.toLowerCase()}/${prefix}` : undefined
}
