import { createHash } from 'node:crypto'
import type { Bytes } from '../domain/bytes.ts'
import { andThen, type MaybePromise } from '../domain/maybe.ts'

/** Bytes stand for a text; an embedded engine has to be told so by a `cast`. */
export type Value = string | number | null | Bytes

/** One SQL text for both engines, with `$1`, `$2`, …; each connection prepares it once. */
export interface Statement<Row = unknown> {
  /** What a server calls it. */
  readonly name: string
  readonly text: string
  /** The same with `?`, and which value stands at each where that is not their own order. */
  readonly positional: string
  readonly order: readonly number[] | undefined
  /** Whether its first column comes as bytes; see `rendering`. */
  readonly asBytes: boolean
  /** Only there for the type. */
  readonly row?: Row
}

/**
 * Derived from the text: behind a connection pooler another version of Atrium may have prepared statements on the same
 * server process, and one name must never stand for two texts.
 */
function nameOf(text: string): string {
  return `atrium_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** Statements are made when their module is loaded, never per request: connections keep them for ever. */
export function statement<Row>(text: string): Statement<Row> {
  return { ...positionalOf(text), name: nameOf(text), text, asBytes: false }
}

interface Body {
  body: Bytes
}

/** A long text that is answered, or kept, as it is. It comes as bytes: nobody makes a string of it on its way. */
export function rendering<More = unknown>(expression: string, rest = ''): Statement<Body & More> {
  const text = `select ${expression} as body${rest}`
  // The driver of an embedded engine makes a string of every text, but not of a blob.
  const { positional, order } = positionalOf(`select cast(${expression} as blob) as body${rest}`)
  return { name: nameOf(text), text, positional, order, asBytes: true }
}

type Ask = (asked: Statement<Body>, ...values: Value[]) => MaybePromise<Body[]>

/** Of one that always has a row. */
export function rendered(ask: Ask, asked: Statement<Body>, ...values: Value[]): MaybePromise<Bytes> {
  return andThen(ask(asked, ...values), ([row]) => (row as Body).body)
}

function positionalOf(text: string): Pick<Statement, 'positional' | 'order'> {
  const order: number[] = []
  const positional = text.replace(/\$(\d+)/g, (_, place) => {
    order.push(Number(place) - 1)
    return '?'
  })
  const isOwnOrder = order.every((place, at) => place === at)
  return { positional, order: isOwnOrder ? undefined : order }
}
