import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../../../test/harness/postgres-server.ts'
import type { BenchEstate } from '../../estate/shape.ts'
import { atTheEnd, end } from '../../processes.ts'
import type { Peer, RunningPeer } from '../peer.ts'
import { checked } from '../shared/checked.ts'
import { freshData, peerFolder } from '../shared/folders.ts'
import { install, installedVersion } from '../shared/install.ts'
import { fillPostgres, fillSqlite } from '../shared/rows.ts'
import { tables } from './data.ts'
import { readers, requestsFor, subscriptionIn } from './requests.ts'
import { makeSchema, serve } from './server.ts'
import { postgresDatabase, sqliteDatabase } from './settings.ts'

/** The package sqlite3 contains no binary; isolated-vm is overridden by a version that does. */
const compiled = ['sqlite3']

export const directusOnSqlite: Peer = {
  name: 'Directus, SQLite',
  async start(estate, progress) {
    await install('directus', progress, compiled)
    const folder = await freshData('directus', estate, async (made) => {
      const file = join(made, 'data.db')
      progress('making its collections')
      const role = await makeSchema(made, sqliteDatabase(file))
      progress('filling its database')
      fillSqlite(file, tables(estate, role))
    })
    return startChecked(estate, folder, sqliteDatabase(join(folder, 'data.db')), folder)
  },
}

export const directusOnPostgres: Peer = {
  name: 'Directus, PostgreSQL',
  async start(estate, progress) {
    const folder = await install('directus', progress, compiled)
    progress('starting PostgreSQL')
    const postgres = await startPostgres({ durable: true })
    const stopPostgres = once(postgres.stop)
    atTheEnd(stopPostgres)
    try {
      const database = postgresDatabase(postgres.url)
      progress('making its collections')
      const role = await makeSchema(folder, database)
      progress('filling its database')
      await fillPostgres(postgres.url, tables(estate, role))
      await countOn(postgres.url)
      const peer = await startChecked(estate, folder, database)
      return { ...peer, stop: () => peer.stop().finally(stopPostgres) }
    } catch (error) {
      await stopPostgres()
      throw error
    }
  },
}

/** Runs once and is shared by all callers. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

/** Advances the id sequences beyond the imported rows. */
async function countOn(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`select setval(pg_get_serial_sequence('subscriptions', 'id'), max(id)) from subscriptions`)
  await client.end()
}

async function startChecked(
  estate: BenchEstate,
  folder: string,
  database: Record<string, string>,
  run?: string,
): Promise<RunningPeer> {
  const { url, child } = await serve(folder, database)
  const peer: RunningPeer = {
    url,
    pid: child.pid ?? 0,
    version: installedVersion(peerFolder('directus'), 'directus'),
    requestFor: requestsFor(estate),
    subscriptionIn,
    stop: () => end(child),
  }
  return checked(peer, readers, estate, run)
}
