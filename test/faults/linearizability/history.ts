// The requests of clients to one room and their responses, ordered by one clock: all clients run in one process.

/** The part of the room that a response shows; other members are left out. */
export interface Sight {
  cycle?: string | null
  /** Its subscriptions, each as its code or, with a label, as `code=label`. Each code was added by one request. */
  services: readonly string[]
  /** The ETag of the area. */
  etag?: string
}

/** The routes by which a partner reads a room. */
export const partnerRoutes = ['area', 'services', 'areas', 'page'] as const
/** The console's list of rooms is read with the key of an operator. */
export type Route = (typeof partnerRoutes)[number] | 'console'

/** Only if the room is unchanged since it was read (If-Match). */
export interface Condition {
  cycle?: string
  etag?: string
}

export type Request =
  | { kind: 'read'; route: Route }
  | Step
  | { kind: 'delete'; code: string; onlyIf?: Condition }
  /** Changes the label of one subscription (PATCH). */
  | { kind: 'change'; code: string; label: string; onlyIf?: Condition }
  /** Several operations on the room in one call, all or none. With the mode `each`, they are recorded one by one. */
  | { kind: 'all'; steps: readonly Step[] }

/** A request that can also be an operation of a call that changes many rooms. */
export type Step =
  | { kind: 'add'; code: string; onlyIf?: Condition }
  /** Replaces all subscriptions: keeps some, as they are given here, and adds others (PUT). */
  | { kind: 'replace'; kept: readonly string[]; added: readonly string[]; onlyIf?: Condition }
  | { kind: 'open'; onlyIf?: Condition }
  | { kind: 'close'; onlyIf?: Condition }

/**
 * Done, with the state of the room afterwards, or refused because of its state. Of several operations, `steps` has the
 * state after each, and `at` is the index of the one that was refused.
 */
export type Answer =
  | { said: 'done'; sight: Sight; steps?: readonly Sight[] }
  | { said: 'no such service'; at?: number }
  | { said: 'moved on'; at?: number }

export function serviceOf(code: string, label: string | null | undefined): string {
  return label ? `${code}=${label}` : code
}

/** The code and, if there is one, the label of a subscription. */
export function namesOf(service: string): string[] {
  return service.split('=')
}

export function codeOf(service: string): string {
  return namesOf(service)[0] as string
}

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
