import { ConfigError, type Env } from './read.ts'

/** Reads the URL of the standbys of PostgreSQL that long reads may use. Returns null for none. */
export function readReplica({ ATRIUM_DATABASE: database = '', ATRIUM_DATABASE_REPLICA: replica }: Env): string | null {
  if (!replica) return null
  const isPostgres = (url: string) => /^postgres(ql)?:/.test(url)
  if (!isPostgres(replica))
    throw new ConfigError('ATRIUM_DATABASE_REPLICA must be postgres://USER:PASSWORD@HOST:PORT/NAME')
  if (!isPostgres(database))
    throw new ConfigError('ATRIUM_DATABASE_REPLICA is of no use without a PostgreSQL server in ATRIUM_DATABASE')
  return replica
}
