import type { Condition, Operation, Request, Sight } from './history.ts'

/** The sequential specification of a room: its state after operations that happen one after the other. */
export interface Room {
  cycle: string | null
  codes: readonly string[]
  etag: string
}

/** A cycle or ETag that no response has shown yet; the first response that shows it fixes it. */
export const untold = '?'

export function roomOf({ cycle = null, codes, etag = untold }: Sight): Room {
  return { cycle, codes, etag }
}

export function keyOf({ cycle, codes, etag }: Room): string {
  return `${cycle} ${etag} ${codes.join()}`
}

/** Applies an operation; undefined if this room could not have had this response. */
export function apply(room: Room, { request, answer }: Operation): Room | undefined {
  if (request.kind === 'read') return answer?.said === 'done' ? confirmed(room, answer.sight) : undefined
  if (answer === undefined) return after(room, request)
  if (answer.said === 'moved on') return mayFail(room, request.onlyIf) ? room : undefined
  if (!mayHold(room, request.onlyIf)) return undefined
  if (answer.said === 'no such service') {
    return request.kind === 'delete' && !room.codes.includes(request.code) ? room : undefined
  }
  const { sight } = answer
  // Opening an open room starts another cycle.
  if (request.kind === 'open' && sight.cycle === room.cycle) return undefined
  const next = after(room, request)
  return next && confirmed(next, sight)
}

/** Undefined if there is nothing to change. */
function after(room: Room, request: Exclude<Request, { kind: 'read' }>): Room | undefined {
  const { cycle, codes } = room
  switch (request.kind) {
    case 'add':
      return { cycle, codes: [...codes, request.code], etag: untold }
    case 'delete':
      if (!codes.includes(request.code)) return undefined
      return { cycle, codes: codes.filter((code) => code !== request.code), etag: untold }
    case 'open':
      return { cycle: untold, codes: [], etag: untold }
    case 'close':
      return cycle === null && codes.length === 0 ? room : { cycle: null, codes: [], etag: untold }
  }
}

/** The room, if its state matches the response, with the unknown values filled in. */
function confirmed(room: Room, sight: Sight): Room | undefined {
  if (sight.codes.length !== room.codes.length || sight.codes.some((code, at) => code !== room.codes[at])) {
    return undefined
  }
  const { cycle = room.cycle, etag = room.etag } = sight
  if (room.cycle === untold ? cycle === null : cycle !== room.cycle) return undefined
  if (room.etag !== untold && etag !== room.etag) return undefined
  return { cycle, codes: room.codes, etag }
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
