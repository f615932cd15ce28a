import { changeOf, type Mutant } from './mutants.ts'

/**
 * Equivalent mutants: the program makes the same access decisions with them. They count neither as killed nor as
 * survived.
 */
export interface Alike {
  file: string
  /** A part of the mutant's line. */
  on: string
  /** The replacement; without it, every mutant of the line. */
  change?: string
  because: string
}

const partners = 'src/storage/cached/partner.ts'
const rooms = 'src/storage/cached/facility.ts'
const lists = 'src/storage/facility.ts'
const ranges = 'src/domain/access/address-range.ts'

const upkeep = 'it counts what the cache holds; nothing is decided by it'
const speed = 'it only saves making the same again'

export const alike: Alike[] = [
  { file: ranges, on: 'if (list === undefined)', change: 'list === undefined → true', because: speed },
  { file: ranges, on: 'lists.set(ranges, list)', because: speed },
  {
    file: ranges,
    on: 'if (family === 0)',
    change: 'family === 0 → false',
    because: 'no range holds what is no address',
  },
  { file: ranges, on: 'if (family === 0)', change: '0 → 1', because: 'the same, and no address is of family 1' },
  { file: ranges, on: "[network = '', bits]", change: "'' → 'mutant'", because: 'a split text has a first part' },
  {
    file: partners,
    on: 'c.grant_id = g.id',
    change: 'c.partner_id = g.partner_id → 1 = 1',
    because: 'no two grants have one id; the partner is named for the index',
  },
  { file: partners, on: 'return known', change: 'known !== undefined → false', because: speed },
  { file: partners, on: 'accesses.size >= maxAccesses', because: speed },
  { file: partners, on: 'accesses.set(key, access)', because: speed },
  ...[
    '#hits = 0',
    '#misses = 0',
    '#generation = 0',
    'hits: this.#hits',
    'this.#hits++',
    'this.#misses++',
    'roomBytes + id.length',
  ].map((on) => ({ file: rooms, on, because: upkeep })),
  {
    file: lists,
    on: "query.where('facility_id', '>'",
    because: 'the outer query asks for the same; it is there for the planner',
  },
  {
    file: lists,
    on: "where('partner_id', '=', partner)",
    change: ".$if(afterId !== undefined, (query) => query.where('facility_id', '>', afterId as number)) → nothing",
    because: 'the outer query asks for the same; it is there for the planner',
  },
  {
    file: lists,
    on: "query.where('id', '>', afterId as number)",
    change: '.$if(limit !== undefined, (query) => query.limit(limit as number)) → nothing',
    because: 'what is too much is cut off behind it',
  },
  {
    file: 'src/storage/access/access.ts',
    on: 'if (tx.isExclusive)',
    change: 'tx.isExclusive → false',
    because: 'it only saves asking for a version that cannot have changed',
  },
  {
    file: 'src/storage/access/access.ts',
    on: 'throw new StaleReadError',
    change: "'The rights of the partner have changed' → ''",
    because: 'no caller sees it: the transaction is retried',
  },
  {
    file: 'src/operations/access/authenticate.ts',
    on: 'if (waiting !== undefined)',
    change: 'waiting !== undefined → true',
    because: 'waiting for nothing is no waiting',
  },
  ...['remoteAddress: address → nothing', 'known !== undefined → false'].map((change) => ({
    file: 'src/operations/access/authenticate.ts',
    on: 'known',
    change,
    because: 'the long way decides the same',
  })),
  {
    file: 'src/operations/access/authenticate.ts',
    on: 'const isHere',
    change:
      "token.allowedRanges.length === 0 || isAllowed(from.remoteAddress ?? '', token.allowedRanges) → (isAllowed(from.remoteAddress ?? '', token.allowedRanges))",
    because: 'no ranges are every address there too: it only saves asking for the address',
  },
  ...["from.remoteAddress ?? '' → (from.remoteAddress)", "'' → 'mutant'"].map((change) => ({
    file: 'src/operations/access/authenticate.ts',
    on: 'const isHere',
    change,
    because: 'none of these is an address',
  })),
]

export function isAlike(mutant: Mutant): boolean {
  return alike.some((one) => fits(one, mutant))
}

export function fits({ file, on, change }: Alike, mutant: Mutant): boolean {
  if (mutant.part.file !== file || !mutant.code.includes(on)) return false
  return change === undefined || change === changeOf(mutant)
}
