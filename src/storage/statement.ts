export type Value = string | number | null

/** One SQL text for both engines, with `$1`, `$2`, …; each connection prepares it once. */
export interface Statement<Row = unknown> {
  /** What a server calls it. */
  readonly name: string
  readonly text: string
  /** The same with `?`, and which value stands at each where that is not their own order. */
  readonly positional: string
  readonly order: readonly number[] | undefined
  /** Only there for the type. */
  readonly row?: Row
}

let count = 0

/** Statements are made when their module is loaded, never per request: connections keep them for ever. */
export function statement<Row>(text: string): Statement<Row> {
  const order: number[] = []
  const positional = text.replace(/\$(\d+)/g, (_, place) => {
    order.push(Number(place) - 1)
    return '?'
  })
  const isOwnOrder = order.every((place, at) => place === at)
  return { name: `atrium_${++count}`, text, positional, order: isOwnOrder ? undefined : order }
}
