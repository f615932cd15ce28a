import { sql } from 'kysely'
import { nowIso } from '../domain/time.ts'
import type { Db } from './database.ts'
import type { Tx } from './engine.ts'
import { interruptible } from './interruptible.ts'
import * as estate from './migrations/0001-estate.ts'
import * as auditLog from './migrations/0002-journal.ts'
import * as auditSeal from './migrations/0003-audit-seal.ts'
import * as cms from './migrations/0004-cms.ts'
import * as rooms from './migrations/0005-rooms.ts'
import * as webhooks from './migrations/0006-webhooks.ts'
import * as sandboxes from './migrations/0007-sandboxes.ts'
import * as auditPlaces from './migrations/0008-audit-places.ts'
import * as packedLists from './migrations/0009-packed-lists.ts'
import * as dueAgain from './migrations/0010-due-again.ts'
import * as auditLock from './migrations/0011-journal-lock.ts'
import * as auditValues from './migrations/0012-audit-values.ts'
import * as refusals from './migrations/0013-refusals-and-responses.ts'
import * as importedTokens from './migrations/0014-imported-tokens.ts'
import * as tokenEnds from './migrations/0015-token-ends.ts'
import * as auditRoot from './migrations/0016-audit-root.ts'
import * as nodeUrl from './migrations/0017-node-url.ts'
import * as roomsNeeded from './migrations/0018-rooms-needed.ts'
import * as scheduledAttempt from './migrations/0019-scheduled-attempt.ts'
import type { MigrationBatch, MigrationTx } from './migrations/frozen/migration.ts'

interface PlainMigration {
  name: string
  up(tx: MigrationTx): Promise<void>
}

/**
 * Changes a large table in several transactions while other nodes serve requests. Each stores where the next batch
 * begins, so that an interrupted migration continues there. `after` is empty for the first batch.
 */
interface BatchedMigration {
  name: string
  batch(tx: MigrationTx, after: string): Promise<MigrationBatch>
}

type Migration = PlainMigration | BatchedMigration

const migrations: Migration[] = [
  estate,
  auditLog,
  auditSeal,
  cms,
  rooms,
  webhooks,
  sandboxes,
  auditPlaces,
  packedLists,
  dueAgain,
  auditLock,
  auditValues,
  refusals,
  importedTokens,
  tokenEnds,
  auditRoot,
  nodeUrl,
  roomsNeeded,
  scheduledAttempt,
]
const known = migrations.map(({ name }) => name)

export interface MigrationState {
  applied: string[]
  pending: string[]
  /** Migrations in the database that this version of Atrium does not know: a newer version applied them. */
  unknown: string[]
}

/** `rows` is the number of rows done, over all batches. */
export interface MigrationProgress {
  name: string
  rows: number
}

/**
 * Applies all pending migrations. Returns the names of those that it completed. A lock makes nodes that start at the
 * same time wait for each other. When `signal` is aborted, rolls back the open transaction and throws.
 */
export async function migrate(
  db: Db,
  onBatch: (progress: MigrationProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<string[]> {
  const completed: string[] = []
  for (;;) {
    const { applied, progress, isDone } = await db.write((tx) => migrateStep(tx, signal))
    completed.push(...applied)
    if (isDone) return completed
    if (progress !== undefined) onBatch(progress)
  }
}

interface Step {
  applied: string[]
  progress?: MigrationProgress
  isDone: boolean
}

/**
 * Applies, in one transaction, the pending migrations before the next one that runs in batches or, if that comes first,
 * the next of its batches. In a new database, applies all.
 */
async function migrateStep(tx: Tx, signal?: AbortSignal): Promise<Step> {
  signal?.throwIfAborted()
  const { applied, pending } = await lockedState(tx)
  const todo = migrations.filter(({ name }) => pending.includes(name))
  const [next] = todo
  if (next !== undefined && 'batch' in next && applied.length > 0) return batchStep(tx, next, signal)
  const end = applied.length === 0 ? -1 : todo.findIndex((migration) => 'batch' in migration)
  const now = end === -1 ? todo : todo.slice(0, end)
  return { applied: await applyMigrations(tx, named(now), signal), isDone: end === -1 }
}

const named = (list: Migration[]) => list.map(({ name }) => name)

async function batchStep(tx: Tx, migration: BatchedMigration, signal?: AbortSignal): Promise<Step> {
  const { name } = migration
  const { text, integer } = tx.dialect
  await sql
    .raw(`create table if not exists atrium_migration_progress (
      name ${text} primary key, next ${text} not null, done ${integer} not null)`)
    .execute(tx.query)
  const of = tx.query.selectFrom('atrium_migration_progress').where('name', '=', name)
  const before = (await of.selectAll().executeTakeFirst()) ?? { name, next: '', done: 0 }
  const { rows, after } = await migration.batch(interruptible(tx, signal), before.next)
  const done = Number(before.done) + rows
  await tx.query.deleteFrom('atrium_migration_progress').where('name', '=', name).execute()
  if (after === undefined) {
    await recordApplied(tx, name)
    return { applied: [name], isDone: false }
  }
  await tx.query.insertInto('atrium_migration_progress').values({ name, next: after, done }).execute()
  return { applied: [], progress: { name, rows: done }, isDone: false }
}

/** Applies the pending migrations among `wanted`, by default all. Returns their names. */
export async function applyMigrations(tx: Tx, wanted: string[] = known, signal?: AbortSignal): Promise<string[]> {
  const { pending } = await lockedState(tx)
  const toApply = migrations.filter(({ name }) => pending.includes(name) && wanted.includes(name))
  for (const migration of toApply) {
    await upOf(migration)(interruptible(tx, signal))
    await recordApplied(tx, migration.name)
  }
  return named(toApply)
}

function upOf(migration: Migration): PlainMigration['up'] {
  return 'up' in migration ? migration.up : (tx) => allBatches(tx, migration)
}

async function allBatches(tx: MigrationTx, { batch }: BatchedMigration): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) ({ after } = await batch(tx, after))
}

async function recordApplied(tx: Tx, name: string): Promise<void> {
  await tx.query.insertInto('atrium_migration').values({ name, applied_at: nowIso() }).execute()
}

/** Lets no other node migrate until the transaction ends. Throws if a newer version has migrated the database. */
async function lockedState(tx: Tx): Promise<MigrationState> {
  await tx.lock('atrium migrations')
  const { text } = tx.dialect
  await sql
    .raw(`create table if not exists atrium_migration (name ${text} primary key, applied_at ${text} not null)`)
    .execute(tx.query)
  const state = await migrationsIn(tx)
  if (state.unknown.length === 0) return state
  throw new Error(
    `The database was created by a newer version of Atrium (${state.unknown.join(', ')}): run that version or a later one`,
  )
}

export function unknownMigrations(names: string[]): string[] {
  return names.filter((name) => !known.includes(name))
}

export function migrationState(db: Db): Promise<MigrationState> {
  return db.read(async (tx) => {
    const tables = await tx.query.introspection.getTables()
    if (tables.some(({ name }) => name === 'atrium_migration')) return migrationsIn(tx)
    return { applied: [], pending: known, unknown: [] }
  })
}

export async function migrationsIn(tx: Tx): Promise<MigrationState> {
  const rows = await tx.query.selectFrom('atrium_migration').select('name').orderBy('name').execute()
  const applied = rows.map(({ name }) => name)
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: unknownMigrations(applied),
  }
}
