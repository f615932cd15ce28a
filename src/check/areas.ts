import { isDeepStrictEqual } from 'node:util'
import { type Examiner, expect, expectArray, expectObject, preview } from './examiner.ts'
import { facilityPath } from './facilities.ts'

export interface FoundArea {
  id: string
  facility: string
  services: Record<string, unknown>[]
  /** Whether the room is open; undefined when the response has no `opened_at`. */
  isOpen: boolean | undefined
}

const iso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Checks section 4.3 of the specification: the areas of a facility. */
export async function checkAreas(examiner: Examiner, facility: string): Promise<FoundArea[]> {
  const areas = await examiner.rule('4.3', `The areas of ${facility} are an array of objects`, () =>
    readAreas(examiner, facility),
  )
  if (areas === undefined) return []
  await examiner.rule('4.3.1', 'Each id_external is in the full form', async () => {
    for (const { id_external: id } of areas) expectFullId(facility, id)
  })
  await examiner.rule('4.3.2', 'data_services and data_general are arrays, empty when absent', async () => {
    for (const area of areas) {
      for (const name of ['data_services', 'data_general'])
        expectArray(area[name], `${name} of ${preview(area.id_external)}`)
    }
  })
  await examiner.rule('4.3.3', 'The end of a subscription is an ISO 8601 string', async () => {
    for (const area of areas) for (const { end } of servicesOf(area)) expectEnd(end)
  })
  return areas.flatMap((area) => {
    if (typeof area.id_external !== 'string') return []
    const isOpen = 'opened_at' in area ? area.opened_at !== null : undefined
    return [{ id: area.id_external, facility, services: servicesOf(area), isOpen }]
  })
}

async function readAreas(examiner: Examiner, facility: string): Promise<Record<string, unknown>[]> {
  const { json } = await examiner.requestOk('GET', `${facilityPath(facility)}areas`)
  return expectArray(json, 'the response').map((area, index) => expectObject(area, `item ${index}`))
}

export async function servicesIn(examiner: Examiner, { facility, id }: FoundArea): Promise<Record<string, unknown>[]> {
  const area = (await readAreas(examiner, facility)).find(({ id_external }) => id_external === id)
  expect(area !== undefined, `${id} is no longer among the areas of ${facility}`)
  return servicesOf(area)
}

export function expectEnd(end: unknown): void {
  if (end === undefined || end === null) return
  expect(typeof end === 'string' && iso.test(end), `an end is ${preview(end)}`)
}

function servicesOf({ data_services: services }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(services) ? services.map((service) => expectObject(service, 'a subscription')) : []
}

function expectFullId(facility: string, id: unknown): void {
  const isFull = typeof id === 'string' && id.startsWith(`${facility}-`) && id.length > facility.length + 1
  expect(isFull, `${preview(id)} does not begin with ${facility}-`)
}

type Entry = Record<'id_external' | 'name', string>

/** Checks sections 4.4 and 4.5: reads the autocomplete list, and replaces it by the same entries. */
export async function checkList(examiner: Examiner, facility: string): Promise<void> {
  const path = `${facilityPath(facility)}areas_autocomplete_list`
  const read = async () => entriesIn((await examiner.requestOk('GET', path)).json)
  const before = await examiner.rule(
    '4.4',
    'The list is under areas_autocomplete_list, with id_external and name',
    read,
  )
  if (before === undefined) return
  await examiner.rule('4.4', 'The list has full ids', async () => {
    for (const { id_external: id } of before) expectFullId(facility, id)
  })
  await examiner.rule('4.5', 'The list is written with short ids and read with full ones', async () => {
    const value = before.map(({ id_external: id, name }) => ({ id_external: shortId(facility, id), name }))
    const { status, text } = await examiner.request('PATCH', path, { body: { value } })
    if (status === 403) return
    expect(status >= 200 && status < 300, `the response to PATCH ${path} has status ${status}: ${text.slice(0, 120)}`)
    examiner.changes.push(`the list of ${facility} was written with the ${before.length} entries it had`)
    const after = await read()
    expect(isDeepStrictEqual(after, before), `afterwards it is ${preview(after)} in place of ${preview(before)}`)
  })
}

function entriesIn(json: unknown): Entry[] {
  const list = expectArray(expectObject(json, 'the response').areas_autocomplete_list, 'areas_autocomplete_list')
  return list.map((value, index) => {
    const { id_external, name } = expectObject(value, `entry ${index}`)
    expect(typeof id_external === 'string' && typeof name === 'string', `entry ${index} is ${preview(value)}`)
    return { id_external, name }
  })
}

function shortId(facility: string, id: string): string {
  return id.startsWith(`${facility}-`) ? id.slice(facility.length + 1) : id
}
