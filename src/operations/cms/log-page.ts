import type { LogPosition, LogRows } from '../../storage/cms/newest-first.ts'
import { cut, decodeCursor, encodeCursor, type Page } from '../page.ts'

/** Where a page of a log begins, taken from the one before. */
export function placeIn(kind: string, cursor: string | undefined): LogPosition | undefined {
  return decodeCursor(kind, cursor, ([at, seq]) =>
    typeof at === 'string' && Number.isSafeInteger(seq) ? { at, seq: seq as number } : undefined,
  )
}

/** A page can be short and still have a next one: behind what was looked at. */
export function logPage<T extends LogPosition>(kind: string, { rows, edge }: LogRows<T>, limit: number): Page<T> {
  const cursorOf = ({ at, seq }: LogPosition) => encodeCursor(kind, at, seq)
  const { items, next } = cut(rows, limit, cursorOf)
  return { items, next: next ?? (edge && cursorOf(edge)) }
}
