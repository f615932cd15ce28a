import { andThen, type Maybe } from './memory/maybe.ts'

export type Value = string | number | null

/** One SQL text for both engines, with `$1`, `$2`, …; each connection prepares it once. */
export interface Statement<Row = unknown> {
  /** What a server calls it. */
  readonly name: string
  readonly text: string
  /** The same with `?`, and which value stands at each where that is not their own order. */
  readonly positional: string
  readonly order: readonly number[] | undefined
  /** Whether its text comes as bytes; see `rendering`. */
  readonly asBytes: boolean
  /** Only there for the type. */
  readonly row?: Row
}

let count = 0

/** Statements are made when their module is loaded, never per request: connections keep them for ever. */
export function statement<Row>(text: string): Statement<Row> {
  return { ...positionalOf(text), name: `atrium_${++count}`, text, asBytes: false }
}

export type Bytes = Uint8Array<ArrayBuffer>
/** Of one text in one row. */
export type Rendering = Statement<{ body: Bytes }>

/** A text that the engine puts together as it is answered. It comes as bytes: nobody makes a string of it on its way. */
export function rendering(expression: string, from = ''): Rendering {
  const text = `select ${expression} as body ${from}`
  // SQLite's driver makes a string of every text, but not of a blob.
  const { positional, order } = positionalOf(`select cast(${expression} as blob) as body ${from}`)
  return { name: `atrium_${++count}`, text, positional, order, asBytes: true }
}

type Ask = (asked: Rendering, ...values: Value[]) => Maybe<{ body: Bytes }[]>

export function rendered(ask: Ask, asked: Rendering, ...values: Value[]): Maybe<Bytes> {
  return andThen(ask(asked, ...values), ([row]) => (row as { body: Bytes }).body)
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
