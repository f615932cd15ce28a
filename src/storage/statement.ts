import { createHash } from 'node:crypto'
import type { Bytes } from '../domain/bytes.ts'
import { andThen, type MaybePromise } from '../domain/maybe.ts'

/** A parameter. Bytes are UTF-8 text; the statement must `cast` them, as an embedded engine stores them as a blob. */
export type Value = string | number | null | Bytes

/** One SQL text for both engines, with parameters `$1`, `$2`, …, prepared once per connection. */
export interface Statement<Row = unknown> {
  /** The name under which a database server prepares the statement. */
  readonly name: string
  readonly text: string
  /** The text with `?` in place of numbered parameters. */
  readonly positional: string
  /** The index of the value for each `?`; undefined when the values are used once and in order. */
  readonly order: readonly number[] | undefined
  /** Whether the first column is returned as bytes; see `rendering`. */
  readonly asBytes: boolean
  /** Never set; carries the row type. */
  readonly row?: Row
}

/**
 * Derives the name from the text: behind a connection pooler, another version of Atrium may have prepared statements in
 * the same server process, and one name must never mean two texts.
 */
function nameOf(text: string): string {
  return `atrium_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** Creates a statement. Call it at module level only, as connections never discard prepared statements. */
export function statement<Row>(text: string): Statement<Row> {
  return { ...positionalOf(text), name: nameOf(text), text, asBytes: false }
}

interface BodyRow {
  body: Bytes
}

/** Creates a statement that returns a long text as bytes, in the column `body`, without decoding it to a string. */
export function rendering<More = unknown>(expression: string, rest = ''): Statement<BodyRow & More> {
  const text = `select ${expression} as body${rest}`
  // The driver of the embedded engine decodes text to strings, but returns a blob as bytes.
  const { positional, order } = positionalOf(`select cast(${expression} as blob) as body${rest}`)
  return { name: nameOf(text), text, positional, order, asBytes: true }
}

type Ask = (statement: Statement<BodyRow>, ...values: Value[]) => MaybePromise<BodyRow[]>

/** Returns the body of a `rendering` that always has one row. */
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
