import { type Backup, BackupFault, type BackupHeader, type BackupTable, type RowCounts } from '../domain/backup.ts'

/**
 * Incremented when older versions of Atrium cannot read the new format. A backup is gzipped JSON Lines: a header; for
 * each table its name and columns, then its rows as arrays; and a footer with the number of rows of each table and a
 * SHA-256 of all lines above it.
 */
const formatVersion = 1

export interface Footer {
  rows: RowCounts
  sha256: string
}

export function headerLine({ createdAt, engine, schema }: BackupHeader): string {
  return line({ atrium_backup: formatVersion, created_at: createdAt, engine, schema })
}

export function tableLine({ name, columns }: BackupTable): string {
  return line({ table: name, columns })
}

export function footerLine({ rows, sha256 }: Footer): string {
  return line({ rows, sha256 })
}

export function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** Yields lines. If their source fails, the last line says why, so that readers of the file can report it. */
export async function* explained(
  lines: AsyncIterable<string>,
  explain: (error: unknown) => string,
): AsyncGenerator<string> {
  try {
    yield* lines
  } catch (error) {
    yield line({ failed: explain(error) })
  }
}

export function parseHeader(text: string): Backup['header'] {
  const { atrium_backup: version, created_at: createdAt, engine, schema } = parseObject(text)
  if (!Number.isInteger(version)) throw new BackupFault('it is not a backup made by Atrium')
  if ((version as number) > formatVersion) {
    throw new BackupFault(
      `it was created by a newer version of Atrium (format ${version}): use that version or a later one`,
    )
  }
  if (typeof createdAt !== 'string' || typeof engine !== 'string' || !isTexts(schema)) throw damagedBackup()
  return { createdAt, engine, schema }
}

/** Parses a line that is not a row: the name and columns of the next table, or the footer of the file. */
export function parseMark(text: string): BackupTable | Footer {
  const { table, columns, rows, sha256 } = parseObject(text)
  if (typeof table === 'string' && isTexts(columns)) return { name: table, columns }
  if (typeof sha256 === 'string' && typeof rows === 'object' && rows !== null)
    return { rows: rows as RowCounts, sha256 }
  throw damagedBackup()
}

export function damagedBackup(): BackupFault {
  return new BackupFault('it is damaged: its content is not what was written')
}

export function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) throw damagedBackup()
  const { failed } = value as Record<string, unknown>
  if (typeof failed === 'string') throw new BackupFault(failed)
  return value as Record<string, unknown>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damagedBackup()
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
