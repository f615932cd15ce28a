import fc from 'fast-check'
import { type BulkCall, changeRooms, type Operation } from './bulk.ts'
import { choice, plainText, type Sending, sendingOf } from './change-commands.ts'
import { type Command, command, cycle, facilityId, fault, partner } from './command.ts'
import { cycleOf, keyOf } from './conditions.ts'
import { facilityIds, shortIds } from './estate.ts'
import { findArea, fullIdOf, type Model, outcome } from './model.ts'
import { listAreas } from './reads.ts'
import { exchange, type Real } from './real.ts'
import { performOpen } from './room-commands.ts'
import { type Body, type Item, items } from './values.ts'

/** An operation as it is sent, with what the model needs to know of it. */
type Composed = { sent: object; sending: Sending[]; operation: Operation }

const sketch = fc.record({
  op: fc.constantFrom(
    'open',
    'open',
    'close',
    'add_services',
    'add_services',
    'replace_services',
    'replace_services',
    'move',
    'move',
  ),
  nth: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
  isFitting: fc.constantFrom(true, true, true, true, false),
  elsewhere: fc.constantFrom(...Array(24).fill(undefined), `${facilityIds[0]}-zz`, `${facilityIds[1]}-${shortIds[0]}`),
  cycle: fc.oneof({ weight: 5, arbitrary: fc.constant('none' as const) }, { weight: 1, arbitrary: cycle }),
  which: fc.constantFrom<number[]>([0], [0], [1, 6], [2, 3], [7], [], [4], [0, 5], [0, 1, 2, 3, 0]),
  wanted: fc.array(choice, { maxLength: 3 }),
})
type Sketch = typeof sketch extends fc.Arbitrary<infer T> ? T : never

/** Composes operations that mostly fit the rooms, including what earlier ones of the call do to them. */
function compose(model: Model, real: Real, facility: string, sketches: Sketch[]): Composed[] {
  const areas = model.facilities.find(({ id_external }) => id_external === facility)?.areas ?? []
  const open = new Set(areas.filter(({ cycle }) => cycle !== null).map(fullIdOf))
  const choose = (nth: number, isWanted: (id: string) => boolean) => {
    const ids = areas.map(fullIdOf)
    const wanted = ids.filter(isWanted)
    return (wanted.length > 0 ? wanted : ids).at(nth % (wanted.length || ids.length || 1)) ?? `${facility}-1`
  }
  return sketches.map((one) => {
    const { op, nth, isFitting, elsewhere } = one
    const chosen = choose(nth, (id) => op !== 'move' || !isFitting || open.has(id))
    const to = choose(nth + 1, (id) => !isFitting || !open.has(id))
    const area = op === 'move' ? chosen : (elsewhere ?? chosen)
    const target = op === 'move' ? (elsewhere ?? to) : area
    if (op === 'close' || op === 'move') open.delete(area)
    if (op === 'open' || op === 'move') open.add(target)
    return composed(model, real, one, area, target)
  })
}

function composed(model: Model, real: Real, one: Sketch, area: string, to: string): Composed {
  const { said, headers } = cycleOf(real, findArea(model, area), one.cycle)
  const known = { area, cycle: said.cycle }
  const sent = { op: one.op, area, cycle: headers['atrium-cycle'] }
  if (one.op === 'move') return { sent: { ...sent, to }, sending: [], operation: { ...known, op: 'move', to } }
  if (one.op === 'open' || one.op === 'close') return { sent, sending: [], operation: { ...known, op: one.op } }
  if (one.op === 'add_services') {
    const added = one.which.map((index) => items[index] as Item)
    const services = added.map(({ sent }) => sent)
    return { sent: { ...sent, services }, sending: [], operation: { ...known, op: one.op, items: added } }
  }
  const sending = one.wanted.map((wanted) => sendingOf(model, real, area, wanted))
  const services = sending.map(({ sent, id }) => ({ ...(sent as object), id }))
  return { sent: { ...sent, services }, sending, operation: { ...known, op: 'replace_services', wanted: [] } }
}

interface Chosen {
  partner: number
  facility: string
  mode: BulkCall['mode']
  key: string | undefined
  condition: 'if-match' | 'atrium-cycle' | undefined
  fault: Body<unknown>['fault']
}

const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'

async function performBulk(chosen: Chosen, operations: Composed[], model: Model, real: Real): Promise<void> {
  const { partner, facility, mode, key, condition, fault } = chosen
  const { said, headers } = keyOf(key)
  if (condition === 'if-match') Object.assign(said, { etag: '*' })
  if (condition === 'atrium-cycle') Object.assign(said, { cycle: 'other' })
  if (condition !== undefined) Object.assign(headers, { [condition]: condition === 'if-match' ? '*' : neverWas })
  const text = plainText({ value: { mode, operations: operations.map(({ sent }) => sent) }, fault })
  const value = { mode, operations: operations.map((one) => operationOf(model, real, one)) }
  const expected = outcome(() => changeRooms(model, partner, facility, said, { value, fault, text }))
  const request = `POST /v1/facilities/${facility}/areas/bulk`
  await exchange(real, { partner, request, headers, body: text, as: 'bulk' }, expected)
  for (const result of resultsIn(expected)) real.met.add(`bulk ${mode} ${result}`)
  const rooms = outcome(() => listAreas(model, 0, facility, {}))
  await exchange(real, { partner: 0, request: `GET /v1/facilities/${facility}/areas` }, rooms)
}

/** Looks up the services that a replacement names by the ids that were sent: a retry sends the same ones later. */
function operationOf(model: Model, { learned }: Real, { operation, sending }: Composed): Operation {
  if (operation.op !== 'replace_services') return operation
  const known = model.facilities.flatMap(({ areas }) => areas).flatMap(({ services }) => services)
  const idOf = (sent: string) => known.find(({ id }) => learned.values.get(id.unknown) === sent)?.id ?? sent
  return { ...operation, wanted: sending.map(({ id, kept }) => ({ kept, id: id === undefined ? id : idOf(id) })) }
}

function resultsIn(expected: ReturnType<typeof outcome>): string[] {
  if ('code' in expected) return []
  const { results } = expected.body as { results: { status: number; problem?: { refused: { code: string } } }[] }
  return results.map(({ status, problem }) => (problem ? `${status} ${problem.refused.code}` : String(status)))
}

const bulk = command(
  'bulk',
  fc.record({
    partner,
    facility: facilityId,
    mode: fc.constantFrom('each' as const, 'all' as const),
    key: fc.constantFrom(undefined, undefined, 'k1', 'k2', 'k3', 'k4', 'k5'),
    condition: fc.constantFrom(...Array(24).fill(undefined), 'if-match' as const, 'atrium-cycle' as const),
    fault,
    sketches: fc.array(sketch, { minLength: 1, maxLength: 6 }),
    after: fc.constantFrom('nothing', 'retry', 'open and retry'),
  }),
  async ({ sketches, after, ...chosen }, model, real) => {
    const { partner, facility, key } = chosen
    const operations = compose(model, real, facility, sketches)
    const [first] = operations as [Composed]
    if (key !== undefined) {
      const other = [...operations, first]
      real.keyed.push((model, real, otherBody) => performBulk(chosen, otherBody ? other : operations, model, real))
    }
    await performBulk(chosen, operations, model, real)
    if (after === 'nothing' || key === undefined) return
    const room = { partner, id: first.operation.area, ifMatch: 'none', cycle: 'none', key: undefined } as const
    if (after === 'open and retry') await performOpen(room, model, real)
    await performBulk(chosen, operations, model, real)
  },
)

/** The commands that change many rooms in one call. */
export const bulkCommands: fc.Arbitrary<Command>[] = Array(8).fill(bulk)
