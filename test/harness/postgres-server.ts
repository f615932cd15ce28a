import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresInstance, type PostgresOptions } from './postgres-instance.ts'
import { copyBinaries, freePort, logText, run, watchOver } from './postgres-program.ts'

export type PostgresServer = {
  /** Of a superuser, in the database `postgres`. */
  url: string
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/** A server of our own can be made to fail, and have others beside it in the same folder. */
export type OwnPostgres = PostgresServer & {
  server: PostgresInstance
  /** Another one, on a port of its own, whose data is still to come. */
  beside(name: string): Promise<PostgresInstance>
}

/** The server that ATRIUM_TEST_POSTGRES names, otherwise one of our own. */
export async function testServer(): Promise<PostgresServer> {
  const url = process.env.ATRIUM_TEST_POSTGRES
  return url ? { url, stop: async () => {} } : startPostgres()
}

/** Starts a PostgreSQL of its own, which never outlives this process. */
export async function startPostgres(options: PostgresOptions = {}): Promise<OwnPostgres> {
  const folder = fs.mkdtempSync(join(tmpdir(), 'atrium-postgres-'))
  const undertaker = watchOver(folder)
  const password = randomBytes(16).toString('hex')
  const instances: PostgresInstance[] = []
  const beside = async (name: string) => {
    const url = `postgres://postgres:${password}@127.0.0.1:${await freePort()}/postgres`
    const instance = new PostgresInstance(folder, name, url, options)
    instances.push(instance)
    return instance
  }
  const stop = async () => {
    await Promise.all(instances.map((instance) => instance.crash()))
    fs.rmSync(folder, { recursive: true, force: true })
    undertaker?.stdin?.end('done\n')
  }
  try {
    copyBinaries(folder, password)
    await initialise(folder)
    const server = await beside('data')
    await server.start()
    return { url: server.url, stop, server, beside }
  } catch (error) {
    await stop()
    throw error
  }
}

// A linguistic order as on most operators' servers: a query that relies on byte order must say so.
async function initialise(folder: string): Promise<void> {
  const initdb = run(folder, 'initdb', [
    `--pgdata=${join(folder, 'data')}`,
    '--username=postgres',
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en',
    '--no-sync',
    // Whoever connects proves that it knows the password: a thousand rounds more make that slower, not truer.
    '--set=scram_iterations=1',
  ])
  const [code] = await once(initdb, 'exit')
  if (code !== 0) throw new Error(`initdb ended with ${code}\n${logText(folder)}`)
}
