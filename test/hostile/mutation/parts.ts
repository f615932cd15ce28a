/** A part of the code that decides access. */
export interface Part {
  file: string
  /** The functions and constants that decide; without it, the whole file. */
  within?: string[]
  /** The tests that must kill its mutants, the fastest first. */
  tests: string[]
  /** Includes what cannot happen during a transaction on SQLite. */
  onEveryEngine?: true
}

const tests = (...names: string[]) => names.map((name) => `test/access/${name}.test.ts`)

export const parts: Part[] = [
  // What a grant permits, and which fields it shows.
  { file: 'src/domain/access/grant.ts', tests: tests('grant') },
  { file: 'src/domain/facility.ts', within: ['facilityView'], tests: tests('view') },
  // Authentication and allowed addresses.
  { file: 'src/domain/access/token.ts', within: ['hashSecret', 'publicIdOf', 'canBeToken'], tests: tests('secret') },
  { file: 'src/domain/access/address-range.ts', within: ['isInRanges', 'listOf', 'nameOf'], tests: tests('secret') },
  { file: 'src/operations/access/authenticate.ts', tests: tests('authenticate'), onEveryEngine: true },
  { file: 'src/http/pipeline/bearer.ts', tests: tests('authenticate') },
  // The cache of partners and tokens, and its invalidation.
  { file: 'src/storage/access/access.ts', tests: tests('caller'), onEveryEngine: true },
  { file: 'src/storage/access/rights.ts', tests: tests('partners') },
  {
    file: 'src/domain/permission.ts',
    tests: tests('partners', 'cached-read', 'lookup'),
  },
  {
    file: 'src/storage/cached/partner.ts',
    within: ['findGrants', 'permissionsOf', 'accessOf'],
    tests: ['test/cache/stale-loads.test.ts', ...tests('partners', 'authenticate')],
  },
  {
    file: 'src/storage/cached/token.ts',
    within: ['findToken', 'loadToken', 'toToken'],
    tests: ['test/cache/stale-loads.test.ts', ...tests('partners', 'authenticate')],
  },
  // The lookups of facilities, rooms and lists.
  {
    file: 'src/storage/cached/facility.ts',
    within: ['facilityOfRoom', 'loadFacilityOfRoom'],
    tests: ['test/cache/stale-loads.test.ts', ...tests('lookup', 'partners')],
  },
  {
    file: 'src/storage/cached/facility.ts',
    within: ['RoomIndex'],
    tests: ['test/cache/room-index.test.ts', 'test/cache/stale-loads.test.ts', ...tests('lookup', 'partners')],
  },
  {
    file: 'src/storage/facility.ts',
    within: ['listFacilities', 'grantedSummaries', 'facilitiesBody'],
    tests: tests('partners'),
  },
  { file: 'src/operations/access/lookup.ts', tests: tests('lookup', 'caller'), onEveryEngine: true },
  { file: 'src/operations/access/cached-read.ts', tests: tests('cached-read') },
]
