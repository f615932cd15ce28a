import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'

const both = ['sqlite', 'postgres'] as const

export type Engine = (typeof both)[number]

/** The engines that tests run on: both, unless an environment variable names one. */
export const engines: readonly Engine[] = both.filter((engine) => engine === (process.env.ATRIUM_TEST_ENGINE ?? engine))

export type FreshDatabase = {
  /** The value of ATRIUM_DATABASE. */
  url: string
  drop(): Promise<void>
  /** Copies the content into another database; this one must not be open. */
  copy(): Promise<FreshDatabase>
}

/** Creates an empty database for one test, on the given engine. */
export async function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  return engine === 'sqlite' ? freshFile() : freshOnServer()
}

/** Templates, created once (originals.ts), because copying one takes a fifth of the time. */
export interface Originals {
  /** The template with every table and no rows. */
  migrated: string
  /** The template with the estate of estate.ts, and a token of each of its partners. */
  furnished: string
  tokens: Record<string, string>
}

/** The environment variable that passes the templates to test processes. */
export const originals = 'ATRIUM_TEST_ORIGINALS'

/** A database with every table; empty where no template was created, so that migrating it takes longer. */
export async function migratedDatabase(engine: Engine): Promise<FreshDatabase> {
  const original = originalsOf(engine)
  return original ? copyOf(original.migrated) : freshDatabase(engine)
}

/** A database with the estate of estate.ts; undefined where no template was created. */
export async function furnishedDatabase(engine: Engine): Promise<FurnishedDatabase | undefined> {
  const original = originalsOf(engine)
  return original && { ...(await copyOf(original.furnished)), tokens: { ...original.tokens } }
}

export interface FurnishedDatabase extends FreshDatabase {
  tokens: Record<string, string>
}

function originalsOf(engine: Engine): Originals | undefined {
  return JSON.parse(process.env[originals] ?? '{}')[engine]
}

function copyOf(url: string): Promise<FreshDatabase> {
  return url.startsWith('sqlite:') ? freshFile(dirname(url.slice('sqlite:'.length))) : freshOnServer(nameOf(url))
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
  // `strategy file_copy` takes less than half the time of copying through the write-ahead log.
  await onServer(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
    copy: () => freshOnServer(name),
  }
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
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
