import type { Random } from '../../torture/random.ts'
import type { Wire, WireAnswer } from '../../torture/wire.ts'
import { type Cell, takesPlainBody } from './oracle.ts'

export interface Request {
  isPlain: boolean
  text: string
}

export interface Wires {
  /** A raw connection, for simple requests: they take the fast path. */
  plain: Wire
  /** For all other requests. */
  whole: Wire
}

export interface Extra {
  token: string
  requestId: string
  ifNoneMatch?: string | undefined
}

/** Returns one of the many spellings of a cell's request. */
export function requestOf(cell: Cell, extra: Extra, random: Random): Request {
  const isPlain = random.chance(0.6) && !/[%]/.test(cell.facilityId + cell.areaId)
  const spell = isPlain ? (id: string) => id : (id: string) => encoded(id, random)
  const [method = '', template = ''] = cell.route.split(' ')
  const path = template
    .replace('{facilityExternalId}', () => spell(cell.facilityId))
    .replace('{areaExternalId}', () => spell(cell.areaId))
    .replace('{serviceId}', () => cell.serviceId)
  const slashed = random.chance(0.3) ? (path.endsWith('/') ? path.slice(0, -1) : `${path}/`) : path
  const json = cell.value === undefined ? undefined : JSON.stringify(bodyOf(cell))
  const lines = [
    `${method} ${slashed}${queryOf(cell)} HTTP/1.1`,
    'Host: atrium',
    `Authorization: Bearer ${extra.token}`,
    `X-Request-Id: ${extra.requestId}`,
    ...(isPlain ? [] : ['Accept:*/*']),
    ...(extra.ifNoneMatch === undefined ? [] : [`If-None-Match: ${extra.ifNoneMatch}`]),
    ...(json === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
  ]
  return { isPlain, text: `${lines.join('\r\n')}\r\n\r\n${json ?? ''}` }
}

function bodyOf({ route, value, isBroken }: Cell): unknown {
  if (takesPlainBody(route)) return isBroken ? [] : value
  return isBroken ? { valeu: 1 } : { value }
}

/** Percent-encodes what must be, and at random what need not be. */
function encoded(id: string, random: Random): string {
  const all = random.chance(0.3)
  return Array.from(id, (letter) => {
    if (!all && /[\w.-]/.test(letter)) return letter
    return `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`
  }).join('')
}

function queryOf({ query: { unknown, ...known } }: Cell): string {
  const pairs = Object.entries(known).map(([name, value]) => `${name}=${value}`)
  const all = [...pairs, ...(unknown === undefined ? [] : [unknown])]
  return all.length === 0 ? '' : `?${all.join('&')}`
}

export function send({ plain, whole }: Wires, { isPlain, text }: Request): Promise<WireAnswer | undefined> {
  return (isPlain ? plain : whole).ask({ bytes: text })
}
