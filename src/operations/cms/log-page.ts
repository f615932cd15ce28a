import type { LogPosition, LogRows } from '../../storage/cms/newest-first.ts'
import { decodeCursor, encodeCursor, type Page, toPage } from '../page.ts'

/** Decodes the cursor of a log, which is listed newest first. */
export function decodeLogCursor(kind: string, cursor: string | undefined): LogPosition | undefined {
  return decodeCursor(kind, cursor, ([at, seq]) =>
    typeof at === 'string' && Number.isSafeInteger(seq) ? { at, seq: seq as number } : undefined,
  )
}

/**
 * Returns a page of a log. A page with few or no rows can have a next one: a filtered query scans a bounded number of
 * rows and stops at `scannedTo`.
 */
export function logPage<T extends LogPosition>(kind: string, { rows, scannedTo }: LogRows<T>, limit: number): Page<T> {
  const cursorOf = ({ at, seq }: LogPosition) => encodeCursor(kind, at, seq)
  const { items, next } = toPage(rows, limit, cursorOf)
  return { items, next: next ?? (scannedTo && cursorOf(scannedTo)) }
}
