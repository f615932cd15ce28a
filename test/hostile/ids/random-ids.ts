import type { Random } from '../../torture/random.ts'

export interface Room {
  facility: string
  short: string
  full: string
  /** Its name, which is unique. */
  canary: string
  isOpen: boolean
}

/** All rooms of an estate, by full id and by facility. */
export interface Rooms {
  byFull: Map<string, Room>
  byFacility: Map<string, Room[]>
}

/** Few different letters, so that many ids are a prefix of another. */
const facilityParts = ['a', 'b', '0', 'a-b', '-', '.', '_', 'A']
const facilityId = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/

/** Characters with a meaning in paths, queries, patterns or encodings. */
const shortParts = [
  ...['a', 'b', '0', '1', '10', 'a-b', '-', '--', '.', '..', '_', '~', 'A', 'é', 'É', 'ß', 'İ', '日本', '😀', '\u200d'],
  ...[
    '%',
    '%41',
    '%2D',
    '%25',
    '%252D',
    '%2F',
    '%00',
    '%é',
    '+',
    ' ',
    '?',
    '#',
    '&',
    '=',
    ';',
    ':',
    '@',
    '\\',
    '"',
    "'",
  ],
  ...['<', '>', '{', '}', '|', '^', '`', '*', '(', ')', '[', ']', '!', '$', ','],
]

function joined(random: Random, parts: string[], most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(parts)).join('')
}

export function newFacilityId(random: Random, { byFacility }: Rooms): string {
  const others = [...byFacility.keys()]
  for (;;) {
    const end = joined(random, facilityParts, 6)
    const id = others.length > 0 && random.chance(0.3) ? `${random.pick(others)}-${end}` : end
    if (facilityId.test(id) && !byFacility.has(id)) return id
  }
}

/** Returns a short id whose full id is unused. */
export function newShortId(random: Random, facility: string, { byFull }: Rooms): string {
  for (;;) {
    const short = joined(random, shortParts, 5)
    const isAllowed = short.trim() === short && short.normalize('NFC') === short && Array.from(short).length <= 64
    if (isAllowed && !byFull.has(`${facility}-${short}`)) return short
  }
}

/** Returns a facility and a short id whose full id another room has; undefined when there is no such pair. */
export function collision(
  random: Random,
  { byFull, byFacility }: Rooms,
): { facility: string; short: string } | undefined {
  const facilities = [...byFacility.keys()]
  for (let tries = 0; tries < 1000; tries++) {
    const facility = random.pick(facilities)
    const other = facilities.find((id) => id.startsWith(`${facility}-`) && (byFacility.get(id) as Room[]).length > 0)
    if (other === undefined) continue
    const { full } = random.pick(byFacility.get(other) as Room[])
    const short = full.slice(facility.length + 1)
    if (byFull.has(full) && Array.from(short).length <= 64) return { facility, short }
  }
  return undefined
}
