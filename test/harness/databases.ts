import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

const both = ['sqlite', 'postgres'] as const

export type Engine = (typeof both)[number]

/** Those that tests run on: both, unless somebody who is in a hurry names one. */
export const engines: readonly Engine[] = both.filter((engine) => engine === (process.env.ATRIUM_TEST_ENGINE ?? engine))

export type FreshDatabase = {
  /** As ATRIUM_DATABASE takes it. */
  url: string
  drop(): Promise<void>
  /** The same content in another database, while nobody has this one open. */
  copy(): Promise<FreshDatabase>
}

/** An empty database of its own for one test, on the given engine. */
export async function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  return engine === 'sqlite' ? freshFile() : freshOnServer()
}

async function freshFile(from?: string): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-sqlite-'))
  if (from !== undefined) await cp(from, folder, { recursive: true })
  return {
    url: `sqlite:${join(folder, 'atrium.db')}`,
    drop: () => rm(folder, { recursive: true, force: true }),
    copy: () => freshFile(folder),
  }
}

async function freshOnServer(template = 'template0'): Promise<FreshDatabase> {
  const server = process.env.ATRIUM_TEST_POSTGRES
  if (!server) {
    throw new Error('no PostgreSQL for this test: run it with `npm test`, or with `npm run test:only -- <file>`')
  }
  const name = `atrium_test_${randomBytes(8).toString('hex')}`
  await onServer(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
    copy: () => freshOnServer(name),
  }
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
