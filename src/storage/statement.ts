import { createHash } from 'node:crypto'
import type { Bytes } from '../domain/bytes.ts'
import { andThen, type MaybePromise } from '../domain/maybe.ts'

/** A parameter of a statement. Bytes are UTF-8 text: the SQL must `cast` them to text, or SQLite would store a blob. */
export type Value = string | number | null | Bytes

/** A statement: one SQL text for both engines, with parameters `$1`, `$2`, …. Each connection prepares it only once. */
export interface Statement<Row = unknown> {
  readonly name: string
  readonly text: string
  /** The text for SQLite, which has `?` in place of each numbered parameter. */
  readonly positional: string
  /** For each `?`, the index of its parameter in the values; undefined when each parameter occurs once and in order. */
  readonly order: readonly number[] | undefined
  /** Whether the first column is returned as UTF-8 bytes instead of a string; see `rendering` below. */
  readonly asBytes: boolean
  /** Never set: exists only to carry the type of the rows. */
  readonly row?: Row
}

/**
 * Derives the statement's name from its SQL: behind a pooler, another version of Atrium may have prepared another
 * statement on the same server process, and the two must not have the same name.
 */
function nameOf(text: string): string {
  return `atrium_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** Must be called only at module level: connections keep every statement that they have prepared. */
export function statement<Row>(text: string): Statement<Row> {
  return { ...positionalOf(text), name: nameOf(text), text, asBytes: false }
}

interface BodyRow {
  body: Bytes
}

/** Defines a statement whose long first column, `body`, is returned as bytes: decoding it to a string costs time. */
export function rendering<More = unknown>(expression: string, rest = ''): Statement<BodyRow & More> {
  const text = `select ${expression} as body${rest}`
  // The cast makes the driver of the embedded engine return bytes: it would decode text to a string.
  const { positional, order } = positionalOf(`select cast(${expression} as blob) as body${rest}`)
  return { name: nameOf(text), text, positional, order, asBytes: true }
}

type Ask = (statement: Statement<BodyRow>, ...values: Value[]) => MaybePromise<BodyRow[]>

/** Returns the `body` of a `rendering` statement that always returns one row. */
export function rendered(ask: Ask, statement: Statement<BodyRow>, ...values: Value[]): MaybePromise<Bytes> {
  return andThen(ask(statement, ...values), ([row]) => (row as BodyRow).body)
}

function positionalOf(text: string): Pick<Statement, 'positional' | 'order'> {
  const order: number[] = []
  const positional = text.replace(/\$(\d+)/g, (_, number) => {
    order.push(Number(number) - 1)
    return '?'
  })
  const isInOrder = order.every((value, index) => value === index)
  return { positional, order: isInOrder ? undefined : order }
}
