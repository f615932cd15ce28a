import type { Area } from './estate.ts'
import {
  areaFor,
  type Expected,
  type Failure,
  facilityFor,
  findArea,
  fullIdOf,
  type KeyRecord,
  type Model,
  outcome,
  refuse,
  type Success,
} from './model.ts'
import { moveGuest, plainValueIn, replaceServices, type Sent, type Wanted } from './room-changes.ts'
import type { Unknown } from './unknown.ts'
import type { Item } from './values.ts'
import { addServices, closeRoom, openRoom, type RequestConditions } from './writes.ts'

/** An operation of a bulk call. `cycle` is the cycle that it names. */
export type Operation = { area: string; cycle: Unknown | 'other' | undefined } & (
  | { op: 'open' }
  | { op: 'close' }
  | { op: 'add_services'; items: Item[] }
  | { op: 'replace_services'; wanted: Wanted[] }
  | { op: 'move'; to: string }
)

export interface BulkCall {
  mode: 'each' | 'all'
  operations: Operation[]
}

interface Call extends BulkCall {
  model: Model
  partner: number
  facility: string
  /** The prefix of the names of its idempotency keys, if it has one. */
  place: string | undefined
  text: string
}

const notAttempted: Failure = { status: 424, code: 'not_attempted' }

/** Returns the results of a bulk call: what the single calls would do, one after the other. */
export function changeRooms(
  model: Model,
  partner: number,
  facility: string,
  said: RequestConditions,
  body: Sent<BulkCall>,
): Success {
  facilityFor(model, partner, facility)
  if (said.etag !== undefined || said.cycle !== undefined) refuse(400, 'header_invalid')
  const place = said.key === undefined ? undefined : `${partner} bulk ${facility} ${said.key} `
  const call: Call = { ...plainValueIn(body), model, partner, facility, place, text: body.text }
  const isRetry = keysOf(call).length > 0
  const results = resultsOf(call)
  const done = results.filter((result) => !('code' in result)) as Success[]
  const replayed = isRetry && done.every((one) => one.replayed)
  const shown = results.map((result) =>
    'code' in result ? { status: result.status, problem: { refused: result } } : { status: 200, area: result.body },
  )
  return { status: 200, body: { results: shown }, ...(replayed && { replayed }) }
}

function keysOf({ model, place }: Call): KeyRecord[] {
  return [...model.keys].flatMap(([name, record]) => (place && name.startsWith(place) ? [record] : []))
}

function resultsOf(call: Call): Expected[] {
  const { mode, text } = call
  const used = keysOf(call)
  const current = used.filter(({ ended }) => !ended)
  if (current.some((record) => record.body !== text)) refuse(422, 'idempotency_key_reused')
  if (current.length > 0 || (used.length > 0 && mode === 'each')) return eachOf(call)
  if (used.length > 0) refuse(409, 'cycle_ended')
  const results = mode === 'each' ? eachOf(call) : allOf(call)
  storeFailures(call, results)
  return results
}

/** Each failure belongs to its room or, if that is not in the facility, to the first room of the call that is. */
function storeFailures({ model, facility, operations, place, text }: Call, results: Expected[]): void {
  const areas = model.facilities.find(({ id_external }) => id_external === facility)?.areas ?? []
  const inFacility = (id: string) => areas.find((area) => fullIdOf(area) === id)
  const [any] = operations.flatMap(roomsIn).flatMap((id) => inFacility(id) ?? [])
  if (place === undefined || any === undefined) return
  for (const [index, answer] of results.entries()) {
    if (!('code' in answer)) continue
    const area = inFacility((operations[index] as Operation).area) ?? any
    model.keys.set(`${place}${index}`, { area, body: text, answer, ended: false })
  }
}

function roomsIn(operation: Operation): string[] {
  return operation.op === 'move' ? [operation.area, operation.to] : [operation.area]
}

/** After a failure, the rooms of the operation stay as they are until the end of the call. */
function eachOf(call: Call): Expected[] {
  const blocked = new Set<string>()
  return call.operations.map((operation, index) => {
    const rooms = roomsIn(operation)
    const known = call.place === undefined ? undefined : call.model.keys.get(`${call.place}${index}`)
    const failed = known && !known.ended && 'code' in known.answer ? known.answer : undefined
    const attempt = () => (rooms.some((room) => blocked.has(room)) ? notAttempted : outcome(() => perform(call, index)))
    const result = failed ?? attempt()
    if ('code' in result) for (const room of rooms) blocked.add(room)
    return result
  })
}

/** Rooms and permissions are checked first, for all operations: the first failure of all is the one reported. */
function allOf(call: Call): Expected[] {
  const { model, operations } = call
  const undo = snapshot(model)
  const allowed = operations.map((operation) => outcome(() => ({ status: 200, body: roomFor(call, operation).id })))
  const checked = allowed.findIndex((one) => 'code' in one)
  const results = checked === -1 ? eachOf(call) : allowed
  const failed = results.findIndex((one) => 'code' in one)
  if (failed === -1) return results
  undo()
  return results.map((result, index) => (index === failed ? result : notAttempted))
}

const needs = { open: ['open_close'], close: ['open_close'], move: ['open_close', 'services'] }

/** Returns the room of an operation, if it is in the facility of the call and the partner may do this with it. */
function roomFor({ model, partner, facility }: Call, { area, op }: Operation): Area {
  if (areaFor(model, partner, area, undefined).facility.id_external !== facility) refuse(404, 'area_not_found')
  for (const right of needs[op as keyof typeof needs] ?? ['services']) areaFor(model, partner, area, ['rooms', right])
  return areaFor(model, partner, area, undefined)
}

/** Carries out one operation. With an idempotency key, each operation has a key of its own, made of it and its index. */
function perform(call: Call, index: number): Success {
  const { model, place, text } = call
  const operation = call.operations[index] as Operation
  const room = roomFor(call, operation)
  const known = place === undefined ? undefined : model.keys.get(`${place}${index}`)
  if (known?.ended) refuse(409, 'cycle_ended')
  if (known) return { ...(known.answer as Success), replayed: true }
  const { left, area: after } = areasAfter(call, operation)
  const store = (at: number, area: Area, body: unknown) => {
    if (place !== undefined) {
      model.keys.set(`${place}${at}`, { area, body: text, answer: { status: 200, body }, ended: false })
    }
  }
  const last = operation.op === 'move' ? (findArea(model, operation.to) as Area) : room
  for (const at of repeatedBy(call, index, last)) store(at, last, after)
  if (operation.op === 'move') for (const at of repeatedBy(call, index, room)) store(at, room, left)
  store(index, last, after)
  return { status: 200, body: after }
}

/** What the last reset of a room in a call erased is replaced by what the reset leaves in the room. */
function repeatedBy({ operations }: Call, index: number, room: Area): number[] {
  const id = fullIdOf(room)
  const isReset = (one: Operation) => ['open', 'close', 'move'].includes(one.op) && roomsIn(one).includes(id)
  if (operations.findLastIndex(isReset) !== index) return []
  return operations.flatMap((one, at) => (at < index && (one.op === 'move' ? one.to : one.area) === id ? [at] : []))
}

/** Does what the single call does. Returns the area that the result shows, and for a move the one that was left. */
function areasAfter({ model, partner }: Call, operation: Operation): { area: unknown; left?: unknown } {
  const { area, cycle } = operation
  const said = cycle === undefined ? {} : { cycle }
  const sent = { text: '' }
  if (operation.op === 'open') return { area: openRoom(model, partner, area, said).tagged }
  if (operation.op === 'close') return { area: closeRoom(model, partner, area, said).tagged }
  if (operation.op === 'add_services') {
    return { area: addServices(model, partner, area, said, { ...sent, value: operation.items }).tagged }
  }
  if (operation.op === 'replace_services') {
    return { area: replaceServices(model, partner, area, said, { ...sent, value: operation.wanted }).tagged }
  }
  const moved = moveGuest(model, partner, area, said, { ...sent, value: operation.to })
  const { from, to } = moved.body as Record<'from' | 'to', { area: unknown }>
  return { area: to.area, left: from.area }
}

/** Returns a function that puts rooms and idempotency keys back as they are now. */
function snapshot(model: Model): () => void {
  const areas = model.facilities.flatMap(({ areas }) => areas)
  const rooms = areas.map((area): [Area, Area] => [area, { ...area, pastCycles: [...area.pastCycles] }])
  const keys = [...model.keys].map(([name, record]): [string, KeyRecord] => [name, { ...record }])
  return () => {
    for (const [area, before] of rooms) Object.assign(area, before)
    model.keys.clear()
    for (const [name, record] of keys) model.keys.set(name, record)
  }
}
