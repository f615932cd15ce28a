import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Engine, FreshDatabase } from '../../harness/databases.ts'
import { unprivileged } from '../../harness/postgres-program.ts'
import type { Volume } from './volume.ts'

export type PlacedDatabase = Pick<FreshDatabase, 'url' | 'drop'>

/** Creates an empty database on the volume; of PostgreSQL everything but its write-ahead log is there. */
export async function databaseOn({ folder }: Volume, engine: Engine): Promise<PlacedDatabase> {
  if (engine === 'sqlite') return { url: `sqlite:${join(folder, 'atrium.db')}`, drop: async () => {} }
  const server = process.env.ATRIUM_TEST_POSTGRES as string
  const place = join(folder, 'tablespace')
  mkdirSync(place, { mode: 0o700 })
  const owner = unprivileged()
  if (owner) chownSync(place, owner.uid, owner.gid)
  const name = `atrium_disk_${randomBytes(8).toString('hex')}`
  await onServer(server, [
    `create tablespace ${name} location '${place}'`,
    `create database ${name} tablespace ${name} template template0`,
  ])
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = [`drop database if exists ${name} with (force)`, `drop tablespace ${name}`]
  return { url: url.href, drop: () => onServer(server, drop) }
}

async function onServer(server: string, statements: string[]): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
