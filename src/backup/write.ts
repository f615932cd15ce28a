import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Backup, countRows, type RowCounts } from '../domain/backup.ts'
import { explained, type Footer, footerLine, headerLine, line, tableLine } from './format.ts'

export interface WriteOptions {
  progress(part: number): void
  signal: AbortSignal
  /** Returns the text of the last line if the database cannot be read. If undefined, `writeBackup` throws instead. */
  explain?(error: unknown): string
}

/** Writes no faster than the target accepts data. The footer has a hash of all lines above it. */
export async function writeBackup(backup: Backup, target: Writable, options: WriteOptions): Promise<Footer> {
  const rows: RowCounts = {}
  const hash = createHash('sha256')
  const hashed = (text: string) => {
    hash.update(text)
    return text
  }
  const footer: Footer = { rows, sha256: '' }
  async function* texts(): AsyncGenerator<string> {
    for await (const text of linesOf(backup, rows, options.progress)) yield hashed(text)
    footer.sha256 = hash.digest('hex')
    yield footerLine(footer)
  }
  const { explain, signal } = options
  await pipeline(explain === undefined ? texts() : explained(texts(), explain), createGzip(), target, { signal })
  return footer
}

async function* linesOf(
  backup: Backup,
  written: RowCounts,
  progress: WriteOptions['progress'],
): AsyncGenerator<string> {
  const total = countRows(backup.counts)
  let done = 0
  yield headerLine(backup.header)
  for await (const { table, rows } of backup.parts()) {
    const before = written[table.name]
    if (before === undefined) yield tableLine(table)
    written[table.name] = (before ?? 0) + rows.length
    if (rows.length > 0) yield rows.map(line).join('')
    done += rows.length
    progress(done / total)
  }
}
