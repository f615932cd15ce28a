// The requests of clients to one room and their responses, ordered by one clock: all clients run in one process.

/** The part of the room that a response shows; other members are left out. */
export interface Sight {
  cycle?: string | null
  /** The codes of its subscriptions; each was sent once. */
  codes: readonly string[]
  /** The ETag of the area. */
  etag?: string
}

export const routes = ['area', 'services', 'areas', 'page'] as const
export type Route = (typeof routes)[number]

/** Only if the room is unchanged since it was read (If-Match). */
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

/** Done, with the state of the room afterwards; or refused because of its state. */
export type Answer = { said: 'done'; sight: Sight } | { said: 'no such service' } | { said: 'moved on' }

export interface Operation {
  client: number
  request: Request
  /** Timestamps of one clock; no end if no response arrived. */
  begin: number
  end: number
  /** Undefined without a response: then the operation may or may not have happened. */
  answer?: Answer | undefined
}

export interface History {
  /** The room before the first operation began. */
  first: Sight
  operations: Operation[]
}
