import type { LogPosition } from '../../domain/log-cursor.ts'
import type { LogRows } from '../../storage/cms/newest-first.ts'
import { decodeCursor, encodeCursor, type Page, toPage } from '../page.ts'

/** Decodes a cursor of the audit log or of the request log, which are listed newest first. */
export function decodeLogCursor(kind: string, cursor: string | undefined): LogPosition | undefined {
  return decodeCursor(kind, cursor, ([at, seq]) =>
    typeof at === 'string' && Number.isSafeInteger(seq) ? { at, seq: seq as number } : undefined,
  )
}

export function logCursor(kind: string): (last: LogPosition) => string {
  return ({ at, seq }) => encodeCursor(kind, at, seq)
}

/** A filtered query stops at `scannedTo` after many rows, so even a page without matching rows can have a next one. */
export function logPage<T extends LogPosition>(
  { rows, scannedTo }: LogRows<T>,
  limit: number,
  cursorOf: (last: LogPosition) => string,
): Page<T> {
  const { items, next } = toPage(rows, limit, cursorOf)
  return { items, next: next ?? (scannedTo && cursorOf(scannedTo)) }
}
