import { createHash, type Hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  BackupFault,
  type BackupHeader,
  type BackupPart,
  type BackupTable,
  type Row,
  type RowCounts,
} from '../domain/backup.ts'
import { damagedBackup, type Footer, parseHeader, parseMark, parseObject } from './format.ts'
import { linesOf } from './lines.ts'

interface Contents extends Footer {
  header: BackupHeader
}

/** The most rows in a part of a backup. `batchBytes` limits its bytes, as all of it must fit in memory. */
const batchRows = 256
const batchBytes = 1_048_576

/**
 * The file is verified only when its end is read: the caller must not commit any part before the generator has
 * finished. Throws BackupFault when the file is truncated or damaged.
 */
export async function* readBackup(
  path: string,
  progress: (part: number) => void,
): AsyncGenerator<BackupPart, Contents> {
  const reading = new BackupParser()
  for await (const line of linesOf(path, progress)) {
    const part = reading.take(line)
    if (part !== undefined) yield part
  }
  return reading.end()
}

/** Verifies a backup by reading the file to its end, where its hash is. Throws BackupFault when it is damaged. */
export async function checkBackup(path: string, progress: (part: number) => void): Promise<Contents> {
  const parts = readBackup(path, progress)
  for (;;) {
    const { done, value } = await parts.next()
    if (done) return value
  }
}

class BackupParser {
  readonly #hash: Hash = createHash('sha256')
  readonly #counts: RowCounts = {}
  #header: BackupHeader | undefined
  #footer: Footer | undefined
  #table: BackupTable | undefined
  #rows: Row[] = []
  #bytes = 0

  /** Returns a part of the table's rows if this line completes one. */
  take(line: Buffer): BackupPart | undefined {
    if (this.#footer !== undefined) throw damagedBackup()
    const text = line.toString('utf8')
    if (this.#header === undefined) this.#header = parseHeader(text)
    else if (text.startsWith('[')) this.#take(text)
    else return this.#mark(text, line)
    this.#hash.update(line).update('\n')
    return this.#rows.length >= batchRows || this.#bytes > batchBytes ? this.#part() : undefined
  }

  #take(text: string): void {
    const row = parseObject(text) as unknown as Row
    if (this.#table === undefined || row.length !== this.#table.columns.length || !row.every(isCell))
      throw damagedBackup()
    this.#rows.push(row)
    this.#bytes += text.length
  }

  #mark(text: string, line: Buffer): BackupPart | undefined {
    const part = this.#table && this.#part()
    const mark = parseMark(text)
    if ('sha256' in mark) {
      this.#footer = mark
      return part
    }
    this.#hash.update(line).update('\n')
    if (mark.name in this.#counts) throw damagedBackup()
    this.#table = mark
    this.#counts[mark.name] = 0
    return part
  }

  #part(): BackupPart {
    const table = this.#table as BackupTable
    const rows = this.#rows
    this.#counts[table.name] = (this.#counts[table.name] ?? 0) + rows.length
    this.#rows = []
    this.#bytes = 0
    return { table, rows }
  }

  end(): Contents {
    if (this.#header === undefined || this.#footer === undefined)
      throw new BackupFault('it is cut off: its end is missing')
    if (this.#footer.sha256 !== this.#hash.digest('hex')) throw damagedBackup()
    if (!isDeepStrictEqual(this.#footer.rows, this.#counts)) throw damagedBackup()
    return { ...this.#footer, header: this.#header }
  }
}

function isCell(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number'
}
