import { monthSaver, type SavedAudit, saveAuditFile } from '../../backup/audit-file.ts'
import { checkAuditFile } from '../../backup/audit-file-check.ts'
import type { SaveOptions } from '../../backup/file.ts'
import { saveChecked } from '../../backup/save.ts'
import type { Config, RemoteConfig } from '../../config.ts'
import { commandLine } from '../../domain/audit/audit.ts'
import type { ExportedSeals } from '../../domain/audit/audit-export.ts'
import { BackupFault } from '../../domain/backup.ts'
import { exportAudit } from '../../operations/background/export-audit.ts'
import { type RemovedMonth, removeOldAudit } from '../../operations/background/remove-audit.ts'
import type { Db } from '../../storage/database.ts'
import { assertFree, withProgress } from '../estate/backup.ts'
import { readingFailure } from '../estate/file-failure.ts'
import { Failure } from '../failure.ts'
import { plural, print, printJson } from '../output.ts'
import { progressBar } from '../progress.ts'
import { withDatabase } from '../with-database.ts'
import { faultLine, type VerifyCommand } from './audit.ts'

interface ExportCommand {
  until?: string
  force?: boolean
  json?: boolean
}

export async function runAuditExport(config: Config, file: string, options: ExportCommand): Promise<number> {
  await assertFree(file, options.force ?? false)
  const { remote } = config
  const saved = await withProgress(file, (steps) =>
    remote === null
      ? withDatabase(config, (db) => saveAudit(db, file, options.until, steps))
      : saveRemotely(remote, file, options.until, steps),
  )
  if (options.json) printJson({ file, bytes: saved.bytes, ...view(saved) })
  else print(`Wrote ${file}: ${words(saved)}; ${saved.bytes} bytes, verified by reading it back`)
  return 0
}

async function saveAudit(db: Db, file: string, until: string | undefined, steps: SaveOptions): Promise<SavedAudit> {
  const { exported, span } = await exportAudit(db, until)
  return saveAuditFile(file, exported, { ...steps, writing: (entries) => steps.writing(entries / span) })
}

async function saveRemotely(remote: RemoteConfig, file: string, until: string | undefined, steps: SaveOptions) {
  const { download } = await import('../remote/download.ts')
  const { writing: receiving, checking: progress, signal } = steps
  const query = until === undefined ? '' : `?until=${until}`
  return saveChecked(file, {
    write: (target) => download(remote, `/cms/v1/audit/sealed${query}`, target, { receiving, signal }),
    check: async (partial): Promise<ExportedSeals> => {
      const { seals, faults } = await checkAuditFile(partial, { progress })
      if (faults.length === 0) return seals
      throw new BackupFault('what was received is not what was sealed: run `atrium audit verify`')
    },
  })
}

/** Verifies an exported audit log without the database. Returns the exit code: 1 if entries differ or are missing. */
export async function runFileVerify(file: string, { head, json }: VerifyCommand): Promise<number> {
  const progress = progressBar()
  const checking = (part: number) => progress.show('Verifying', part)
  const { seals, faults } = await checkAuditFile(file, { head, progress: checking })
    .catch((error: unknown) => {
      throw error instanceof BackupFault
        ? new Failure(`cannot use ${file}: ${error.message}`)
        : readingFailure(file, error)
    })
    .finally(progress.clear)
  const whole = faults.length === 0
  if (json) printJson({ whole, ...view(seals), faults })
  else print([...faults.map(faultLine), `${whole ? 'whole' : 'not whole'}: ${words(seals)}`].join('\n'))
  return whole ? 0 : 1
}

/** Removes months older than ATRIUM_AUDIT_MONTHS from the audit log, as a running server does in the background. */
export function runAuditPrune(config: Config, { json }: { json?: boolean }): Promise<number> {
  const { auditMonths: months, auditExportFolder: folder } = config
  if (months === null) throw new Failure('ATRIUM_AUDIT_MONTHS is not set, so all months are kept')
  return withDatabase(config, async (db) => {
    const removed: RemovedMonth[] = []
    const onRemoved = (month: RemovedMonth) => {
      removed.push(month)
      if (!json) print(`Removed ${month.month}: ${plural(month.entries, 'entry', 'entries')}.`)
    }
    const save = folder === null ? undefined : monthSaver(folder)
    await removeOldAudit(db, { actor: commandLine, months, save, onRemoved }).catch((error) => {
      throw new Failure(error instanceof Error ? error.message : String(error))
    })
    if (json) printJson({ removed })
    else if (removed.length === 0) print('There is no month to remove.')
    return 0
  })
}

function view({ previous, last, seals, entries, from, to }: ExportedSeals): object {
  return { seals, entries, from, to, root: previous.hash || null, head: last?.hash ?? null }
}

function words({ previous, last, seals, entries, from, to }: ExportedSeals): string {
  const range = from === null ? '' : `, from ${from} to ${to}`
  const lines = [`${plural(entries, 'entry', 'entries')} in ${plural(seals, 'seal')}${range}`]
  if (previous.hash !== '') lines.push(`root: ${previous.hash}`)
  if (last !== undefined) lines.push(`head: ${last.hash}`)
  return lines.join('\n')
}
