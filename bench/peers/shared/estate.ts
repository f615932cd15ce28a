import type { BenchEstate } from '../../estate/shape.ts'

/** Fixed date of the estate, so that generated data is always the same. */
export const made = '2026-11-01T08:00:00.000Z'

/** Number of a room among all rooms, from 1, for peers with numeric keys. */
export function roomNumber(estate: BenchEstate, facility: number, area: number): number {
  return facility * estate.areas + area + 1
}

export function* eachFacility<T>(estate: BenchEstate, make: (facility: number) => T): Generator<T> {
  for (let facility = 0; facility < estate.facilities; facility++) yield make(facility)
}

export function* eachRoom<T>(estate: BenchEstate, make: (facility: number, area: number) => T): Generator<T> {
  for (let facility = 0; facility < estate.facilities; facility++) {
    for (let area = 0; area < estate.areas; area++) yield make(facility, area)
  }
}

/** `number` counts all subscriptions from 1. */
export function* eachSubscription<T>(
  estate: BenchEstate,
  make: (facility: number, area: number, index: number, number: number) => T,
): Generator<T> {
  let number = 0
  for (let facility = 0; facility < estate.facilities; facility++) {
    for (let area = 0; area < Math.min(estate.roomsWithSubscriptions, estate.areas); area++) {
      for (let index = 0; index < estate.subscriptionsPerRoom; index++) yield make(facility, area, index, ++number)
    }
  }
}

export function* eachPartner<T>(estate: BenchEstate, make: (partner: number) => T): Generator<T> {
  for (let partner = 0; partner < estate.partners; partner++) yield make(partner)
}

/** One pair per partner and accessible facility; `number` counts them from 1. */
export function* eachGrant<T>(
  estate: BenchEstate,
  make: (partner: number, facility: number, number: number) => T,
): Generator<T> {
  let number = 0
  for (let partner = 0; partner < estate.partners; partner++) {
    for (const facility of estate.partner(partner).facilities) yield make(partner, facility, ++number)
  }
}

/** The autocomplete list as JSON, for peers that store it in one column. */
export function entriesJson(estate: BenchEstate, facility: number): string {
  const entries = Array.from({ length: estate.areas }, (_, index) => {
    const { fullId, name } = estate.area(facility, index)
    return { id_external: fullId, name }
  })
  return JSON.stringify(entries)
}

/** Returns a new name for W1, different in each turn. */
export function newName(estate: BenchEstate, facility: number, turn: number): string {
  return `${estate.facility(facility).name} ${turn}`
}

/** Token of a partner, for peers that accept given ones. Protects invented data on loopback only. */
export function tokenOf(partner: number): string {
  return `bench-${String(partner).padStart(6, '0')}-static-token-of-a-partner`
}
