import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

/** What most tests begin with is made once, see originals.ts: to copy it takes a fifth of the time. */
export interface Originals {
  /** Where one is that has every table and nothing in them. */
  migrated: string
  /** Where one is with the estate of estate.ts, and a token of each of its partners. */
  furnished: string
  tokens: Record<string, string>
}

/** The variable by which the processes that run tests learn of them. */
export const originals = 'ATRIUM_TEST_ORIGINALS'

/** With every table. Where no original was made it is empty, and whoever migrates it finds more to do. */
export async function migratedDatabase(engine: Engine): Promise<FreshDatabase> {
  const original = originalsOf(engine)
  return original ? copyOf(original.migrated) : freshDatabase(engine)
}

/** With the estate of estate.ts, or nothing where no original was made. */
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
  // Copied file by file: less than half the work of copying through the log.
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
