import { type Env, readInteger } from './read.ts'

export function readLimits(env: Env) {
  return {
    bodyBytes: readInteger(env, 'ATRIUM_LIMIT_BODY_BYTES', 1_048_576, 1024, 64 * 1_048_576),
    jsonDepth: readInteger(env, 'ATRIUM_LIMIT_JSON_DEPTH', 32, 4, 200),
    listEntries: readInteger(env, 'ATRIUM_LIMIT_LIST_ENTRIES', 10_000, 1, 1_000_000),
    postSubscriptions: readInteger(env, 'ATRIUM_LIMIT_POST_SUBSCRIPTIONS', 500, 1, 10_000),
    roomSubscriptions: readInteger(env, 'ATRIUM_LIMIT_ROOM_SUBSCRIPTIONS', 1000, 1, 100_000),
    roomBytes: readInteger(env, 'ATRIUM_LIMIT_ROOM_BYTES', 524_288, 64, 64 * 1_048_576),
    bulkBytes: readInteger(env, 'ATRIUM_LIMIT_BULK_BYTES', 33_554_432, 65_536, 2 ** 30),
    subscriptionBytes: readInteger(env, 'ATRIUM_LIMIT_SUBSCRIPTION_BYTES', 16_384, 64, 1_048_576),
    importBytes: readInteger(env, 'ATRIUM_LIMIT_IMPORT_BYTES', 268_435_456, 1024, 2 ** 40),
    headerBytes: readInteger(env, 'ATRIUM_LIMIT_HEADER_BYTES', 65_536, 4096, 1_048_576),
  }
}
