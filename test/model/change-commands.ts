import fc from 'fast-check'
import { type Command, command, fault, key } from './command.ts'
import { areaResource } from './conditions.ts'
import { type Area, facilityIds, shortIds } from './estate.ts'
import { findArea, fullIdOf, type Model, outcome } from './model.ts'
import { exchange, type Real } from './real.ts'
import { changeService, moveGuest, replaceServices } from './room-changes.ts'
import {
  common,
  type Opening,
  performAdd,
  performClose,
  performOpen,
  retry,
  serviceOf,
  speak,
} from './room-commands.ts'
import { type Body, type Item, items, patches } from './values.ts'

/** A valid body, one of another form, or one that is not JSON. */
export function plainText({ value, fault }: Body<unknown>): string {
  if (fault === 'no JSON') return '{"to": '
  return JSON.stringify(fault === 'no value' ? [] : value)
}

type Faulty = Opening & { fault: Body<unknown>['fault'] }

/** Mostly a room in the state that the command is about; otherwise the room that was chosen at random. */
const room = { ...common, isAnyRoom: fc.constantFrom(false, false, false, true), nthRoom: fc.nat({ max: 4 }) }
type Room = { id: string; isAnyRoom: boolean; nthRoom: number }

function idOf(rooms: Area[], { id, isAnyRoom, nthRoom }: Room): string {
  const fitting = isAnyRoom ? undefined : rooms[nthRoom % rooms.length]
  return fitting === undefined ? id : fullIdOf(fitting)
}

function servedRoom(model: Model, chosen: Room): string {
  return idOf(
    roomsOf(model).filter(({ services }) => services.length > 0),
    chosen,
  )
}

function roomsOf({ facilities }: Model): Area[] {
  return facilities.flatMap(({ areas }) => areas)
}

/** An item to send, with the id of the service that it is to replace, if any. */
export type Sending = Item & { id: string | undefined }

/** Items for a list of all services: a new one, one in place of a service of the room, the service itself, or a former one. */
export const choice = fc.record({
  what: fc.constantFrom('new', 'new', 'replaced', 'same', 'same', 'same', 'former'),
  nth: fc.nat({ max: 3 }),
  item: fc.constantFrom(0, 0, 0, 1, 2, 3, 6, 7, 5),
})
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never

export function sendingOf(model: Model, real: Real, fullId: string, { what, nth, item }: Choice): Sending {
  const area = findArea(model, fullId)
  const chosen = items[item] as Item
  if (what === 'former') return { ...chosen, id: serviceOf(real, area, nth + 100)[1] }
  const present = area?.services[nth % area.services.length]
  if (what === 'new' || present === undefined) return { ...chosen, id: undefined }
  const id = real.learned.values.get(present.id.unknown)
  if (what === 'replaced') return { ...chosen, id }
  const { id: _, ...fields } = present
  return { sent: fields, kept: { UTC: fields, 'Europe/Paris': fields }, id }
}

async function performReplace(chosen: Faulty, sending: Sending[], model: Model, real: Real): Promise<void> {
  const { partner, id, key, fault } = chosen
  const { said, headers } = await speak(model, real, chosen, key)
  const body = plainText({
    value: { data_services: sending.map(({ sent, id }) => ({ ...(sent as object), id })) },
    fault,
  })
  const present = findArea(model, id)?.services ?? []
  const value = sending.map(({ kept, id }) => {
    const known = present.find((one) => real.learned.values.get(one.id.unknown) === id)
    return { kept, id: id === undefined ? undefined : (known?.id ?? id) } as const
  })
  const expected = outcome(() => replaceServices(model, partner, id, said, { value, fault, text: body }))
  const { path, name: resource } = areaResource(id)
  const keyed = key && `${partner} replace ${id} ${key}`
  await exchange(real, { partner, request: `PUT ${path}data_services`, headers, body, resource, keyed }, expected)
}

const wanted = fc.array(choice, { maxLength: 4 })
const replace = command('replace', fc.record({ ...room, key, fault, wanted }), (sketch, model, real) => {
  const chosen = { ...sketch, id: servedRoom(model, sketch) }
  const sending = chosen.wanted.map((one) => sendingOf(model, real, chosen.id, one))
  const other = [...sending, { ...(items[0] as Item), id: undefined }]
  if (chosen.key !== undefined) {
    real.keyed.push((model, real, otherBody) => performReplace(chosen, otherBody ? other : sending, model, real))
  }
  return performReplace(chosen, sending, model, real)
})

const which = { nth: fc.constantFrom(0, 0, 0, 0, 1, 5), value: fc.constantFrom(...patches) }
const change = command('change', fc.record({ ...room, fault, ...which }), async (sketch, model, real) => {
  const chosen = { ...sketch, id: servedRoom(model, sketch) }
  const { partner, id, fault, nth, value } = chosen
  const { said, headers } = await speak(model, real, chosen)
  const [serviceId, actual] = serviceOf(real, findArea(model, id), nth)
  const expected = outcome(() => changeService(model, partner, id, said, serviceId, { value, fault }))
  const { path, name: resource } = areaResource(id)
  const body = plainText({ value: value.sent, fault })
  const request = `PATCH ${path}data_services/${actual}`
  await exchange(real, { partner, request, headers, body, resource, as: 'change' }, expected)
})

async function performMove(chosen: Faulty, to: string, model: Model, real: Real): Promise<void> {
  const { partner, id, key, fault } = chosen
  const { said, headers } = await speak(model, real, chosen, key)
  const body = plainText({ value: { to }, fault })
  const expected = outcome(() => moveGuest(model, partner, id, said, { value: to, fault, text: body }))
  const { path, name: resource } = areaResource(id)
  const keyed = key && `${partner} move ${id} ${key}`
  await exchange(real, { partner, request: `POST ${path}move`, headers, body, resource, keyed, as: 'move' }, expected)
}

/** A request without conditions, by the partner that may do everything. */
const plainly = (id: string): Opening => ({ partner: 0, id, ifMatch: 'none', cycle: 'none', key: undefined })

/** Where a guest moves to: mostly a closed room of the same facility. */
const target = fc.record({
  among: fc.constantFrom('closed', 'closed', 'closed', 'facility', 'facility', 'elsewhere'),
  nth: fc.nat({ max: 4 }),
  elsewhere: fc.constantFrom(`${facilityIds[0]}-zz`, `${facilityIds[1]}-${shortIds[0]}`, ''),
})

function targetOf(
  from: Area | undefined,
  { among, nth, elsewhere }: typeof target extends fc.Arbitrary<infer T> ? T : never,
) {
  const rooms = from?.facility.areas.filter(({ cycle }) => among === 'facility' || cycle === null) ?? []
  const chosen = among === 'elsewhere' ? undefined : rooms[nth % rooms.length]
  return chosen === undefined ? elsewhere : fullIdOf(chosen)
}

const move = command(
  'move',
  fc.record({ ...room, key, fault, target, after: fc.constantFrom('nothing', 'retry', 'leave and retry') }),
  async (sketch, model, real) => {
    const open = roomsOf(model).filter(({ cycle }) => cycle !== null)
    const chosen = { ...sketch, id: idOf(open, sketch) }
    const to = targetOf(findArea(model, chosen.id), chosen.target)
    if (chosen.key !== undefined) {
      real.keyed.push((model, real, otherBody) => performMove(chosen, otherBody ? `${to}0` : to, model, real))
    }
    await performMove(chosen, to, model, real)
    if (chosen.after === 'leave and retry' && findArea(model, to)) await performClose(plainly(to), model, real)
    if (chosen.after !== 'nothing') await performMove(chosen, to, model, real)
  },
)

/** A guest with two services, in a room that exists: otherwise few commands would find one. */
const arrive = command('arrive', fc.nat({ max: 9 }), async (nth, model, real) => {
  const rooms = roomsOf(model)
  const id = fullIdOf(rooms[nth % rooms.length] as Area)
  await performOpen(plainly(id), model, real)
  await performAdd({ ...plainly(id), fault: undefined, which: [0, 1] }, model, real)
})

/** The commands that replace and change services, and move guests. */
export const changeCommands: fc.Arbitrary<Command>[] = [
  ...[replace, replace, replace, change, change, change],
  ...[arrive, arrive, arrive, move, move, move, move, retry, retry, retry, retry],
]
