import { sql } from 'kysely'
import { nowIso } from '../domain/time.ts'
import type { Db } from './database.ts'
import type { Tx } from './engine.ts'
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
import type { MigrationTx } from './migrations/frozen/migration.ts'

interface Migration {
  name: string
  up(tx: MigrationTx): Promise<void>
}

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
]
const known = migrations.map(({ name }) => name)

export interface MigrationState {
  applied: string[]
  pending: string[]
  /** The migrations that a newer version of Atrium applied and this one does not know. */
  unknown: string[]
}

/** Applies pending migrations. Nodes that start together take turns, by a lock. */
export function migrate(db: Db): Promise<string[]> {
  return db.write((tx) => applyMigrations(tx))
}

/** Applies the pending migrations among `wanted`, by default all. Returns their names. */
export async function applyMigrations(tx: Tx, wanted: string[] = known): Promise<string[]> {
  await tx.lock('atrium migrations')
  const { text } = tx.dialect
  await sql
    .raw(`create table if not exists atrium_migration (name ${text} primary key, applied_at ${text} not null)`)
    .execute(tx.query)
  const { pending, unknown } = await migrationsIn(tx)
  if (unknown.length > 0) {
    throw new Error(
      `The database was created by a newer version of Atrium (${unknown.join(', ')}): run that version or a later one`,
    )
  }
  const toApply = pending.filter((name) => wanted.includes(name))
  for (const migration of migrations.filter(({ name }) => toApply.includes(name))) {
    await migration.up(tx)
    await tx.query.insertInto('atrium_migration').values({ name: migration.name, applied_at: nowIso() }).execute()
  }
  return toApply
}

/** Returns the names that only a newer version of Atrium knows. */
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
