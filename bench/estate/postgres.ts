import { createReadStream, createWriteStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from, to } from 'pg-copy-streams'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { startPostgres } from '../../test/harness/postgres-server.ts'
import { cached } from './cache.ts'
import type { Databases, MakeOptions } from './databases.ts'
import { fill } from './fill.ts'

const template = 'estate'

/** A PostgreSQL server for this run, durable, with default settings except for the number of connections. */
export async function postgresDatabases({ estate, estateFile, folder, say }: MakeOptions): Promise<Databases> {
  say('starts PostgreSQL')
  const server = await startPostgres({ durable: true, settings: { max_connections: '200' } })
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  await ask(server.url, `create database ${template}`)
  const {
    folder: kept,
    made,
    madeNow,
  } = await cached('postgres', estate, async (target) => {
    say('makes the estate on PostgreSQL')
    const result = await fill(urlOf(template), estate, await estateFile(), join(folder, 'apply.log'))
    await copyOut(urlOf(template), target)
    return result
  })
  if (!madeNow) {
    say('loads the estate into PostgreSQL')
    await copyIn(urlOf(template), kept)
  }
  await ask(urlOf(template), 'vacuum analyze')
  await ask(server.url, 'checkpoint')
  const [row] = await ask(server.url, 'show server_version')
  return {
    engine: 'postgres',
    version: `PostgreSQL ${row?.server_version}`,
    made,
    madeNow,
    megabytes: async () => {
      const [size] = await ask(server.url, `select pg_database_size('${template}') as bytes`)
      return Number(size?.bytes) / 2 ** 20
    },
    copy: async (name) => {
      await ask(server.url, `create database ${name} template ${template}`)
      return urlOf(name)
    },
    empty: async (name) => {
      await ask(server.url, `drop database if exists ${name}`)
      await ask(server.url, `create database ${name}`)
      return urlOf(name)
    },
    stop: server.stop,
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(statement)).rows)
}

/** Leaves out the audit log, whose transaction ids are meaningless on another server. */
async function copyOut(url: string, folder: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'audit%'`,
    )
    for (const { name } of rows) {
      await pipeline(client.query(to(`copy ${name} to stdout`)), createWriteStream(join(folder, `${name}.copy`)))
    }
  })
}

async function copyIn(url: string, folder: string): Promise<void> {
  const db = openDatabase(url)
  await migrate(db)
  await db.close()
  await withClient(url, async (client) => {
    // Disables foreign key checks, so that the order of the tables does not matter.
    await client.query('set session_replication_role = replica')
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.copy'))) {
      const table = file.replace(/\.copy$/, '')
      await client.query(`truncate ${table} cascade`)
    }
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.copy'))) {
      const table = file.replace(/\.copy$/, '')
      await pipeline(createReadStream(join(folder, file)), client.query(from(`copy ${table} from stdin`)))
    }
  })
}
