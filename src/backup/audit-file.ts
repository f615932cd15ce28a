import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type AuditExport, type ExportedSeals, noSeals, withSeal } from '../domain/audit/audit-export.ts'
import { valueHashesIn } from '../domain/audit/audit-faults.ts'
import { BackupFault } from '../domain/backup.ts'
import { auditFileVersion, checkAuditFile } from './audit-file-check.ts'
import { explained, line } from './format.ts'
import { saveChecked } from './save.ts'
import type { WriteOptions } from './write.ts'

interface WriteAuditOptions extends Pick<WriteOptions, 'explain'> {
  writing(entries: number): void
  signal?: AbortSignal
}

interface SaveAuditOptions extends WriteAuditOptions {
  checking(part: number): void
}

export interface SavedAudit extends ExportedSeals {
  bytes: number
}

/** Writes an export of the audit log to a temporary file, which gets its name once it was read back and verified. */
export function saveAuditFile(path: string, exported: AuditExport, steps: SaveAuditOptions): Promise<SavedAudit> {
  return saveChecked(path, {
    write: (target) => writeAudit(exported, target, steps),
    check: async (partial, written) => {
      const { seals, faults } = await checkAuditFile(partial, { progress: steps.checking })
      if (faults.length === 0 && seals.last?.hash === written.last?.hash) return seals
      throw new BackupFault('what was written is not what was read from the database: try again, and check the disk')
    },
  })
}

/** Writes no faster than the target accepts data. Returns a summary of the seals (hashes over entries) it wrote. */
export async function writeAudit(
  exported: AuditExport,
  target: Writable,
  { writing, signal, explain }: WriteAuditOptions,
): Promise<ExportedSeals> {
  const written = { seals: noSeals(exported.previous) }
  const lines = linesOf(exported, written, writing)
  await pipeline(
    explain === undefined ? lines : explained(lines, explain),
    createGzip(),
    target,
    signal ? { signal } : {},
  )
  return written.seals
}

async function* linesOf(
  exported: AuditExport,
  written: { seals: ExportedSeals },
  progress: WriteAuditOptions['writing'],
): AsyncGenerator<string> {
  const known = new Set<string>()
  yield line({ atrium_audit: auditFileVersion, created_at: exported.createdAt, previous: exported.previous })
  for await (const part of exported.parts()) {
    yield line({ seal: part.seal })
    for (const entry of part.entries) {
      for (const hash of valueHashesIn(entry)) {
        if (!known.has(hash)) yield line({ value: await exported.loadValue(hash) })
        known.add(hash)
      }
      yield line({ entry })
    }
    written.seals = withSeal(written.seals, part)
    progress(written.seals.entries)
  }
  const { seals, entries, last } = written.seals
  yield line({ end: { seals, entries, head: last?.hash ?? null } })
}

/** Returns a function that saves a month of the audit log to the folder, as a file such as `audit-2026-01.jsonl.gz`. */
export function monthSaver(folder: string): (month: string, exported: AuditExport) => Promise<ExportedSeals> {
  return async (month, exported) => {
    const path = join(folder, `audit-${month}.jsonl.gz`)
    try {
      if (existsSync(path)) return await savedBefore(path, exported)
      return await saveAuditFile(path, exported, { writing: () => {}, checking: () => {} })
    } catch (error) {
      if (error instanceof BackupFault) throw new Error(`cannot use ${path}: ${error.message}; nothing was removed`)
      throw error
    }
  }
}

/** Verifies the file of a month that an interrupted run exported but did not delete. Throws if it is another export. */
async function savedBefore(path: string, { previous }: AuditExport): Promise<ExportedSeals> {
  const { seals, faults } = await checkAuditFile(path)
  const follows = seals.previous.number === previous.number && seals.previous.hash === previous.hash
  if (faults.length === 0 && follows) return seals
  throw new BackupFault('it is there already and is not the export of what is to be removed: move it away')
}
