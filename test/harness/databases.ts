import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

export const engines = ['sqlite', 'postgres'] as const

export type Engine = (typeof engines)[number]

export type FreshDatabase = {
  /** As ATRIUM_DATABASE takes it. */
  url: string
  drop(): Promise<void>
}

/** An empty database of its own for one test, on the given engine. */
export async function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  return engine === 'sqlite' ? freshFile() : freshOnServer()
}

async function freshFile(): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-sqlite-'))
  return {
    url: `sqlite:${join(folder, 'atrium.db')}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

async function freshOnServer(): Promise<FreshDatabase> {
  const server = process.env.ATRIUM_TEST_POSTGRES
  if (!server) {
    throw new Error('no PostgreSQL for this test: run it with `npm test`, or with `npm run test:only -- <file>`')
  }
  const name = `atrium_test_${randomBytes(8).toString('hex')}`
  await onServer(server, `create database ${name} template template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(server, `drop database if exists ${name} with (force)`) }
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
