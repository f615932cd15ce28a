import type { Area } from './estate.ts'
import {
  areaFor,
  type Expected,
  type Failure,
  facilityFor,
  findArea,
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
  const results = resultsOf(call)
  const done = results.filter((result) => !('code' in result)) as Success[]
  const replayed = done.length > 0 && done.every((one) => one.replayed)
  const shown = results.map((result) =>
    'code' in result ? { status: result.status, problem: { refused: result } } : { status: 200, area: result.body },
  )
  return { status: 200, body: { results: shown }, ...(replayed && { replayed }) }
}

function resultsOf(call: Call): Expected[] {
  const { mode, model, place, text } = call
  const used = [...model.keys].flatMap(([name, record]) => (place && name.startsWith(place) ? [record] : []))
  const current = used.filter(({ ended }) => !ended)
  if (current.some((record) => record.body !== text)) refuse(422, 'idempotency_key_reused')
  if (mode === 'each' || current.length > 0) return eachOf(call)
  if (used.length > 0) refuse(409, 'cycle_ended')
  return allOf(call)
}

/** After a failure, the rooms of the operation stay as they are until the end of the call. */
function eachOf(call: Call): Expected[] {
  const blocked = new Set<string>()
  return call.operations.map((operation, index) => {
    const rooms = operation.op === 'move' ? [operation.area, operation.to] : [operation.area]
    const result = rooms.some((room) => blocked.has(room)) ? notAttempted : outcome(() => perform(call, index))
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
  if (known) return { ...known.answer, replayed: true }
  const answer: Success = { status: 200, body: areaAfter(call, operation) }
  const area = operation.op === 'move' ? (findArea(model, operation.to) as Area) : room
  for (const at of place === undefined ? [] : [...repeatedBy(call, index), index]) {
    model.keys.set(`${place}${at}`, { area, body: text, answer, ended: false })
  }
  return answer
}

/** What the last opening or closing of a room in a call erased is replaced by its own result. */
function repeatedBy({ operations }: Call, index: number): number[] {
  const { area } = operations[index] as Operation
  const isOfRoom = (one: Operation) => one.area === area && one.op !== 'move'
  const isReset = (one: Operation) => one.area === area && (one.op === 'open' || one.op === 'close')
  if (operations.findLastIndex(isReset) !== index) return []
  return operations.flatMap((one, at) => (at < index && isOfRoom(one) ? [at] : []))
}

/** Does what the single call does. Returns the area that the result shows. */
function areaAfter({ model, partner }: Call, operation: Operation): unknown {
  const { area, cycle } = operation
  const said = cycle === undefined ? {} : { cycle }
  const sent = { text: '' }
  if (operation.op === 'open') return openRoom(model, partner, area, said).tagged
  if (operation.op === 'close') return closeRoom(model, partner, area, said).tagged
  if (operation.op === 'add_services') {
    return addServices(model, partner, area, said, { ...sent, value: operation.items }).tagged
  }
  if (operation.op === 'replace_services') {
    return replaceServices(model, partner, area, said, { ...sent, value: operation.wanted }).tagged
  }
  const moved = moveGuest(model, partner, area, said, { ...sent, value: operation.to })
  return (moved.body as { to: { area: unknown } }).to.area
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
