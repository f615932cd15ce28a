import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresInstance, type PostgresOptions } from './postgres-instance.ts'
import { copyBinaries, freePort, logText, run, watchOver } from './postgres-program.ts'

export type PostgresServer = {
  /** The URL of a superuser, in the database `postgres`. */
  url: string
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

/** A server that tests can break, with further ones in the same folder. */
export type OwnPostgres = PostgresServer & {
  server: PostgresInstance
  /** Prepares another server on a port of its own, without data. */
  beside(name: string): Promise<PostgresInstance>
}

/** Returns the server of ATRIUM_TEST_POSTGRES, or starts one. */
export async function testServer(): Promise<PostgresServer> {
  const url = process.env.ATRIUM_TEST_POSTGRES
  return url ? { url, stop: async () => {} } : startPostgres()
}

/** Starts a PostgreSQL that never outlives this process. */
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
    if (!undertaker?.stdin?.writableEnded) undertaker?.stdin?.end('done\n')
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

// A linguistic collation, as on most operators' servers: queries that rely on byte order must say so.
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
    // Fewer SCRAM iterations: connecting is faster, and what tests check does not change.
    '--set=scram_iterations=1',
  ])
  const [code] = await once(initdb, 'exit')
  if (code !== 0) throw new Error(`initdb ended with ${code}\n${logText(folder)}`)
}
