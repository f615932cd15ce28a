import { randomFillSync } from 'node:crypto'
import { hasControlCharacter, isLonger } from './text.ts'

export const facilityIdPattern = '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$'
const facilityId = new RegExp(facilityIdPattern)

export function isFacilityId(id: string): boolean {
  return facilityId.test(id)
}

/** The prefix of the ids of sandboxes and their facilities. No other id may begin with it. */
export const sandboxPrefix = 'atr-test.'

export function isSandboxId(id: string): boolean {
  return id.startsWith(sandboxPrefix)
}

/** Matches most valid ids and no invalid one; the rest go through slower checks in `shortIdFault`. */
const plainShortId = /^[\w.-]{1,64}$/

/** Returns what is wrong with a short id, such as 'must not contain "/"'; undefined if it is valid. */
export function shortIdFault(id: string): string | undefined {
  if (plainShortId.test(id)) return undefined
  if (id === '' || isLonger(id, 64)) return 'must be 1 to 64 characters'
  if (!id.isWellFormed() || hasControlCharacter(id)) return 'must not contain control characters'
  if (id.includes('/')) return 'must not contain "/"'
  if (id.trim() !== id) return 'must not begin or end with white space'
  if (id.normalize('NFC') !== id) return 'must be in Unicode NFC'
  return undefined
}

/** Returns the full id of a room, `facility-area`. It cannot be split again, since both parts may contain hyphens. */
export function fullId(facility: string, short: string): string {
  return `${facility}-${short}`
}

/** Returns other facilities to which the full ids could belong: the facility of `a-b-c` can be `a` or `a-b`. */
export function otherFacilities(facility: string, shorts: Iterable<string>): Set<string> {
  const found = new Set<string>()
  let isEmpty = true
  for (const short of shorts) {
    isEmpty = false
    for (let at = short.indexOf('-'); at !== -1; at = short.indexOf('-', at + 1)) {
      const id = fullId(facility, short.slice(0, at))
      if (isFacilityId(id)) found.add(id)
    }
  }
  if (isEmpty) return found
  for (let at = facility.indexOf('-'); at !== -1; at = facility.indexOf('-', at + 1)) {
    const id = facility.slice(0, at)
    if (isFacilityId(id)) found.add(id)
  }
  return found
}

/** For natural order, puts `0` and a letter for its length before each run of digits: `a12` becomes `a0B12`. */
export function naturalKey(short: string): string {
  return short.toLowerCase().replace(/\d+/g, (run) => {
    const digits = run.replace(/^0+(?=\d)/, '')
    return `0${String.fromCharCode(0x40 + digits.length)}${digits}`
  })
}

/** Random bytes for 256 ids: each `randomFillSync` costs microseconds, and an estate file can add a million rooms. */
const random = Buffer.alloc(16 * 256)
let randomUsed = random.length

function randomBytes16(): Buffer {
  if (randomUsed === random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  randomUsed += 16
  return random.subarray(randomUsed - 16, randomUsed)
}

/** Returns when an id was created; 0 for one that is no UUIDv7, because it came from another installation. */
export function createdAtMs(id: string): number {
  if (id[14] !== '7') return 0
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) || 0
}

/** Returns a UUIDv7 (RFC 9562). Such ids are ordered by time, so that new rows are appended at the end of an index. */
export function newId(now = Date.now()): string {
  const bytes = randomBytes16()
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
