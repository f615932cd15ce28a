/** A part of the access module: what decides who may see or do what. */
export interface Part {
  file: string
  /** Its functions and constants that decide; all of them when it does nothing else. */
  within?: string[]
  /** The tests that must see that it is wrong, the quickest first. */
  tests: string[]
  /** Also what nobody can do beside a transaction on SQLite. */
  onEveryEngine?: true
}

const tests = (...names: string[]) => names.map((name) => `test/access/${name}.test.ts`)

export const parts: Part[] = [
  // What a grant gives, and what of a facility is shown by it.
  { file: 'src/domain/access/grant.ts', tests: tests('grant') },
  { file: 'src/domain/facility.ts', within: ['facilityView'], tests: tests('view') },
  // Whose secret it is, and from where it may come.
  { file: 'src/domain/access/token.ts', within: ['hashSecret', 'publicIdOf', 'publicIdIn'], tests: tests('secret') },
  { file: 'src/domain/access/address-range.ts', within: ['isInRanges', 'listOf', 'nameOf'], tests: tests('secret') },
  { file: 'src/operations/access/authenticate.ts', tests: tests('authenticate'), onEveryEngine: true },
  { file: 'src/http/pipeline/bearer.ts', tests: tests('authenticate') },
  // What is known of a partner and its tokens, and that it is still true.
  { file: 'src/storage/access/access.ts', tests: tests('caller'), onEveryEngine: true },
  { file: 'src/storage/access/rights.ts', tests: tests('partners') },
  {
    file: 'src/domain/permission.ts',
    tests: tests('partners', 'ready', 'lookup'),
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
  // The ways to a facility, a room and a list of facilities.
  {
    file: 'src/storage/cached/facility.ts',
    within: ['facilityOfRoom', 'loadFacilityOfRoom'],
    tests: ['test/cache/stale-loads.test.ts', ...tests('lookup', 'partners')],
  },
  {
    file: 'src/storage/cached/room-index.ts',
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
