// What clients asked of one room and were answered, in the order of their clocks: they all live in one process.

/** What an answer shows of the room; what it does not show is left out. */
export interface Sight {
  cycle?: string | null
  /** The codes of its subscriptions, each of which was sent once. */
  codes: readonly string[]
  /** The area's own. */
  etag?: string
}

export const routes = ['area', 'services', 'areas', 'page'] as const
export type Route = (typeof routes)[number]

/** Only if the room is still as it was seen. */
export interface Condition {
  cycle?: string
  etag?: string
}

export type Request =
  | { kind: 'read'; route: Route }
  | { kind: 'add'; code: string; onlyIf?: Condition }
  | { kind: 'delete'; code: string; onlyIf?: Condition }
  | { kind: 'open'; onlyIf?: Condition }
  | { kind: 'close'; onlyIf?: Condition }

/** Done, with the room as it then was; or refused, because of how it was. */
export type Answer = { said: 'done'; sight: Sight } | { said: 'no such service' } | { said: 'moved on' }

export interface Operation {
  client: number
  request: Request
  /** Moments on one clock; no end when no answer came. */
  begin: number
  end: number
  /** Nothing when none came: then it may have happened or not. */
  answer?: Answer | undefined
}

export interface History {
  /** The room before the first operation began. */
  first: Sight
  operations: Operation[]
}
