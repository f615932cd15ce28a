import type { DestinationStream } from 'pino'
import type { Config } from './config.ts'
import { createLog, type Log, readableStream } from './http/log.ts'
import { createMetrics } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import { forgetOldKeys } from './operations/once.ts'
import { TokenUse } from './operations/token-use.ts'
import { type Db, openDatabase } from './storage/database.ts'
import { migrate } from './storage/migrate.ts'

export interface Service {
  url: string
  db: Db
  close(): Promise<void>
}

export interface ServiceOptions {
  /** Where the log goes; standard output without it, readable on a terminal. */
  logStream?: DestinationStream
}

const tokenUseEveryMs = 5_000
const forgetKeysEveryMs = 3_600_000

/** Everything that runs, put together by hand: configuration in, a server that answers out. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const metrics = createMetrics()
  const log = createLog(
    config.log,
    options.logStream ?? (process.stdout.isTTY ? readableStream(process.stdout) : process.stdout),
  )
  const db = openDatabase(config.database, (kind, seconds) => metrics.databaseSeconds.observe({ kind }, seconds))
  try {
    await migrate(db)
    const tokenUse = new TokenUse(db)
    const app = createServer({ config, db, log, metrics, tokenUse })
    const url = await app.listen({ host: config.host, port: config.port })
    const chores = [
      chore(log, 'note the last use of tokens', tokenUseEveryMs, () => tokenUse.flush()),
      chore(log, 'forget old idempotency keys', forgetKeysEveryMs, () => forgetOldKeys(db)),
    ]
    return {
      url,
      db,
      close: async () => {
        for (const timer of chores) clearInterval(timer)
        await app.close()
        await tokenUse.flush().catch(() => {})
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw clearer(error, config)
  }
}

/** What fails here is tried again next time; nobody waits for it. */
function chore(log: Log, name: string, everyMs: number, work: () => Promise<unknown>): NodeJS.Timeout {
  const run = () => void work().catch((error: Error) => log.warn({ error: error.name }, `could not ${name}`))
  run()
  return setInterval(run, everyMs)
}

function clearer(error: unknown, { host, port }: Config): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new Error(`Port ${port} on ${host} is in use: set ATRIUM_PORT to another one`)
  if (code === 'EACCES')
    return new Error(`Port ${port} on ${host} may not be used by this user: set ATRIUM_PORT to another one`)
  return error
}
