import fc from 'fast-check'
import { type Kind, names } from '../harness/grant-names.ts'
import { type Unknown, unknown } from './unknown.ts'

/** Facility ids that are prefixes of others' room ids, in the order of their numbers. */
export const facilityIds = ['north', 'north-1', 'south']
/** Short ids in natural order. */
export const shortIds = ['1', '2', '10', 'A-3', 'bar']

export interface Grant {
  facilities: string[] | '*'
  read: string[] | '*'
  write: string[] | '*'
  rooms: string[] | '*'
}

export interface Entry {
  id: string
  name: string
}

export interface Subscription {
  id: Unknown
  [field: string]: unknown
}

export interface Area {
  facility: Facility
  id: string
  name: string
  opened_at: Unknown | null
  cycle: Unknown | null
  pastCycles: Unknown[]
  date_created: Unknown
  date_updated: Unknown
  services: Subscription[]
}

export interface Facility {
  id: number
  id_external: string
  name: string
  status: string
  ssid_public: string | null
  subscription_url: string | null
  timezone: 'UTC' | 'Europe/Paris'
  room_services: boolean
  date_created: Unknown
  date_updated: Unknown
  areas: Area[]
  list: Entry[]
}

const rights = (kind: Kind) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant('*' as const) }, { weight: 3, arbitrary: fc.subarray(names[kind]) })
const grant: fc.Arbitrary<Grant> = fc.record({
  facilities: fc.oneof(fc.constant('*' as const), fc.subarray(facilityIds, { minLength: 1 })),
  read: rights('read'),
  write: rights('write'),
  rooms: rights('rooms'),
})
const everything: Grant = { facilities: '*', read: '*', write: '*', rooms: '*' }
const facility = fc.record({
  status: fc.constantFrom('active', 'suspended'),
  ssid_public: fc.constantFrom(null, 'Guest'),
  timezone: fc.constantFrom('UTC' as const, 'Europe/Paris' as const),
  room_services: fc.constantFrom(true, true, true, false),
  shorts: fc.subarray(shortIds.slice(1)).map((some) => [shortIds[0] as string, ...some]),
  listed: fc.subarray(shortIds),
})

/** Generates some facilities with some rooms each, and three partners with up to two grants. */
export const estates = fc.record({
  facilities: fc.array(facility, { minLength: 1, maxLength: facilityIds.length }),
  partners: fc.tuple(fc.constant<Grant[]>([everything]), ...[1, 2].map(() => fc.array(grant, { maxLength: 2 }))),
})
export type EstateSketch = typeof estates extends fc.Arbitrary<infer T> ? T : never

export const areaName = (short: string) => `Room ${short}`

/** Converts the sketch to an estate file. Grants on facilities that do not exist are dropped. */
export function estateFile({ facilities, partners }: EstateSketch, firstId: number) {
  const there = facilityIds.slice(0, facilities.length)
  const named = (grants: Grant[]) =>
    grants.map((one) => ({
      ...one,
      facilities: one.facilities === '*' ? '*' : one.facilities.filter((id) => there.includes(id)),
    }))
  return {
    facilities: facilities.map(({ shorts, listed, ...rest }, index) => ({
      id: firstId + index,
      id_external: facilityIds[index] as string,
      name: `Facility ${index}`,
      ...rest,
      areas: shorts.toReversed().map((id) => ({ id, name: areaName(id) })),
      areas_autocomplete_list: listed.map((id) => ({ id, name: areaName(id) })),
    })),
    partners: partners.map((grants, index) => ({
      id: partnerId(index),
      name: `Partner ${index}`,
      grants: named(grants),
    })),
  }
}

export const partnerId = (index: number) => `partner-${index}`

/** Converts the sketch to the state of the model. */
export function facilitiesOf({ facilities }: EstateSketch, firstId: number): Facility[] {
  return facilities.map(({ shorts, listed, ...rest }, index) => {
    const made = unknown('date')
    const one: Facility = {
      id: firstId + index,
      id_external: facilityIds[index] as string,
      name: `Facility ${index}`,
      subscription_url: null,
      ...rest,
      date_created: made,
      date_updated: made,
      areas: [],
      list: listed.map((id) => ({ id, name: areaName(id) })),
    }
    one.areas = shorts.map((id) => newArea(one, id))
    return one
  })
}

function newArea(facility: Facility, id: string): Area {
  const made = unknown('date')
  const closed = { opened_at: null, cycle: null, pastCycles: [], services: [] }
  return { facility, id, name: areaName(id), ...closed, date_created: made, date_updated: made }
}
