import { hash } from 'node:crypto'
import { type ExportedSeals, noSeals, withSeal } from '../domain/audit/audit-export.ts'
import {
  type AuditFault,
  faultsOf,
  maxAuditFaults,
  type SealedPart,
  valueHashesIn,
} from '../domain/audit/audit-faults.ts'
import type { Seal, StoredEntry } from '../domain/audit/audit-seal.ts'
import { BackupFault } from '../domain/backup.ts'
import { isObject } from '../domain/json.ts'
import { damagedBackup, parseObject } from './format.ts'
import { linesOf } from './lines.ts'

/**
 * The version of the format of an audit export: gzipped JSON Lines. A header names the seal (hash over entries) before
 * the first one in the file. Each seal is followed by its entries, and a long value comes before the first entry that
 * refers to it. A footer shows that the file is complete. Each seal also covers the one before, so that the file can be
 * verified without the database.
 */
export const auditFileVersion = 1

interface CheckedAudit {
  seals: ExportedSeals
  faults: AuditFault[]
}

interface CheckAuditOptions {
  /** The hash of a seal (hash over entries) that the caller noted earlier. The file must contain this seal. */
  head?: string | undefined
  progress?(part: number): void
}

/** Verifies, without the database, that all entries and long values match the seals (hashes over entries). */
export async function checkAuditFile(path: string, options: CheckAuditOptions = {}): Promise<CheckedAudit> {
  const { head, progress = () => {} } = options
  const reading = new AuditFileReader(head)
  for await (const line of linesOf(path, progress, 'an export of the audit log')) {
    reading.take(parseObject(line.toString('utf8')))
    if (reading.faults.length >= maxAuditFaults) break
  }
  return reading.end()
}

class AuditFileReader {
  readonly faults: AuditFault[] = []
  readonly #head: string | undefined
  #isHeadKnown: boolean
  #seals: ExportedSeals | undefined
  #before: Pick<Seal, 'number' | 'hash'> | undefined
  #part: Pick<SealedPart, 'seal' | 'entries'> | undefined
  readonly #values = new Set<string>()
  #isComplete = false

  constructor(head: string | undefined) {
    this.#head = head
    this.#isHeadKnown = head === undefined
  }

  take(line: Record<string, unknown>): void {
    if (this.#isComplete) throw damagedBackup()
    if (this.#seals === undefined) return this.#begin(line)
    if (isEntry(line.entry) && this.#part !== undefined) this.#part.entries.push(line.entry)
    else if (typeof line.value === 'string') this.#values.add(hash('sha256', line.value, 'hex'))
    else if (isSeal(line.seal)) {
      this.#endPart()
      this.#part = { seal: line.seal, entries: [] }
    } else if (isObject(line.end)) this.#end(line.end)
    else throw damagedBackup()
  }

  #begin({ atrium_audit: version, previous }: Record<string, unknown>): void {
    if (!Number.isInteger(version)) throw new BackupFault('it is not an export of the audit log')
    if ((version as number) > auditFileVersion)
      throw new BackupFault(`it was created by a newer version of Atrium (format ${version}): use that or a later one`)
    if (!isObject(previous)) throw damagedBackup()
    this.#before = previous as unknown as ExportedSeals['previous']
    this.#seals = noSeals(this.#before)
    this.#isHeadKnown ||= previous.hash === this.#head
  }

  #endPart(): void {
    const part = this.#part
    if (part === undefined || this.#before === undefined || this.#seals === undefined) return
    const values = part.entries.flatMap((entry) =>
      valueHashesIn(entry)
        .filter((hash) => !this.#values.has(hash))
        .map(() => ({ entry: entry.seq, fault: 'missing' as const })),
    )
    this.faults.push(...faultsOf(this.#before, { ...part, values }))
    this.#seals = withSeal(this.#seals, part)
    this.#isHeadKnown ||= part.seal.hash === this.#head
    this.#before = part.seal
    this.#part = undefined
  }

  #end({ seals, entries }: Record<string, unknown>): void {
    this.#endPart()
    this.#isComplete = true
    if (this.#seals?.seals !== seals || this.#seals?.entries !== entries) throw damagedBackup()
  }

  end(): CheckedAudit {
    const isFull = this.faults.length >= maxAuditFaults
    if (this.#seals === undefined || !(this.#isComplete || isFull))
      throw new BackupFault('it is cut off: its end is missing')
    if (!this.#isHeadKnown) this.faults.push({ of: 'head', seal: null, entry: null, fault: 'missing' })
    return { seals: this.#seals, faults: this.faults }
  }
}

function isEntry(value: unknown): value is StoredEntry {
  return isObject(value) && typeof value.detail === 'string' && typeof value.at === 'string'
}

function isSeal(value: unknown): value is Seal {
  return isObject(value) && typeof value.hashes === 'string'
}
