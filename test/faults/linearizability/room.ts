import {
  type Answer,
  type Condition,
  codeOf,
  type Operation,
  type Request,
  type Sight,
  type Step,
  serviceOf,
} from './history.ts'

/** The sequential specification of a room: its state after operations that happen one after the other. */
export interface Room {
  cycle: string | null
  services: readonly string[]
  etag: string
}

/** A cycle or ETag that no response has shown yet; the first response that shows it fixes it. */
export const untold = '?'

export function roomOf({ cycle = null, services, etag = untold }: Sight): Room {
  return { cycle, services, etag }
}

export function keyOf({ cycle, services, etag }: Room): string {
  return `${cycle} ${etag} ${services.join()}`
}

/** Applies an operation; undefined if this room could not have had this response. */
export function apply(room: Room, { request, answer }: Pick<Operation, 'request' | 'answer'>): Room | undefined {
  if (request.kind === 'all') return applyAll(room, request.steps, answer)
  if (request.kind === 'read') return answer?.said === 'done' ? confirmed(room, answer.sight) : undefined
  if (answer === undefined) return after(room, request)
  if (answer.said === 'moved on') return mayFail(room, request.onlyIf) ? room : undefined
  if (!mayHold(room, request.onlyIf)) return undefined
  const next = after(room, request)
  if (answer.said === 'no such service') return next === undefined ? room : undefined
  const { sight } = answer
  // Opening an open room starts another cycle.
  if (request.kind === 'open' && sight.cycle === room.cycle) return undefined
  return next && confirmed(next, sight)
}

/** Applies several operations as one: those before a refused one leave nothing behind. */
function applyAll(room: Room, steps: readonly Step[], answer: Answer | undefined): Room | undefined {
  let now: Room | undefined = room
  for (const [at, request] of steps.entries()) {
    if (now === undefined) return undefined
    if (answer?.said === 'done') {
      now = apply(now, { request, answer: { said: 'done', sight: answer.steps?.[at] ?? answer.sight } })
    } else if (answer?.at === at) {
      return apply(now, { request, answer: { said: answer.said } }) && room
    } else {
      now = answer === undefined || mayHold(now, request.onlyIf) ? after(now, request) : undefined
    }
  }
  return now
}

/** Undefined if the room lacks a subscription that the request names. */
function after(room: Room, request: Exclude<Request, { kind: 'read' | 'all' }>): Room | undefined {
  const { cycle, services } = room
  switch (request.kind) {
    case 'add':
      return withServices(room, [...services, request.code])
    case 'delete':
      return withInstead(room, request.code, [])
    case 'change':
      return withInstead(room, request.code, [serviceOf(request.code, request.label)])
    case 'replace': {
      const wanted = new Map(request.kept.map((one) => [codeOf(one), one]))
      // The subscriptions that stay keep their places.
      const kept = services.flatMap((one) => wanted.get(codeOf(one)) ?? [])
      return kept.length === wanted.size ? withServices(room, [...kept, ...request.added]) : undefined
    }
    case 'open':
      return { cycle: untold, services: [], etag: untold }
    case 'close':
      return cycle === null ? withServices(room, []) : { cycle: null, services: [], etag: untold }
  }
}

/** Undefined if the room has no subscription with this code. */
function withInstead(room: Room, code: string, others: readonly string[]): Room | undefined {
  const at = room.services.findIndex((one) => codeOf(one) === code)
  return at === -1 ? undefined : withServices(room, room.services.toSpliced(at, 1, ...others))
}

/** A request that changes nothing leaves the ETag. */
function withServices(room: Room, services: readonly string[]): Room {
  return isSame(room.services, services) ? room : { cycle: room.cycle, services, etag: untold }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((service, at) => service === others[at])
}

/** The room, if its state matches the response, with the unknown values filled in. */
function confirmed(room: Room, sight: Sight): Room | undefined {
  if (!isSame(sight.services, room.services)) return undefined
  const { cycle = room.cycle, etag = room.etag } = sight
  if (room.cycle === untold ? cycle === null : cycle !== room.cycle) return undefined
  if (room.etag !== untold && etag !== room.etag) return undefined
  return { cycle, services: room.services, etag }
}

function mayHold(room: Room, condition: Condition = {}): boolean {
  return isOr(room.cycle, condition.cycle) && isOr(room.etag, condition.etag)
}

function mayFail({ cycle, etag }: Room, condition: Condition = {}): boolean {
  const differs = (found: string | null, wanted: string | undefined) =>
    wanted !== undefined && (found === untold || found !== wanted)
  return differs(cycle, condition.cycle) || differs(etag, condition.etag)
}

function isOr(found: string | null, wanted: string | undefined): boolean {
  return wanted === undefined || found === untold || found === wanted
}
