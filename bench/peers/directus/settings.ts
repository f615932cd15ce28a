/** Password of invented data on loopback only. */
export const adminToken = 'bench-admin-static-token-of-directus'

/**
 * Production settings of the documentation. The pressure limiter is off because it would respond 503 under a load
 * that is meant to be the highest; auto purge, because without it the cache would hide every write.
 */
export function settings(port: number, database: Record<string, string>): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET: 'bench-secret-that-guards-made-up-data',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'only-on-loopback',
    ADMIN_TOKEN: adminToken,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'true',
    CACHE_STORE: 'memory',
    CACHE_AUTO_PURGE: 'true',
    PRESSURE_LIMITER_ENABLED: 'false',
    ...database,
  }
}

export const sqliteDatabase = (file: string) => ({ DB_CLIENT: 'sqlite3', DB_FILENAME: file })

export const postgresDatabase = (url: string) => ({ DB_CLIENT: 'pg', DB_CONNECTION_STRING: url })
