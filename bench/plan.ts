import { collectFrom } from './drive.ts'
import type { BenchEstate } from './estate/shape.ts'
import type { Asking } from './requests.ts'
import type { LoadWork, Place, PlainRequest, Work } from './work.ts'

export const connections = 32
const maxListLength = 200_000

/** A measured server and its way to build requests. */
export interface Target {
  url: string
  asking: Asking
}

export interface Batch {
  requests: PlainRequest[]
  /** Each request may be sent only once. */
  once: boolean
}

/** Builds the requests of one kind of work; each batch continues where the previous one ended. */
export interface Plan {
  status: 200 | 304
  /** Returns requests for about this many responses; undefined when the server cannot do the work. */
  next(responses: number): Promise<Batch | undefined>
  /** Reports how many requests of the batch were sent. */
  used(responses: number): void
}

export function planFor(work: LoadWork, estate: BenchEstate, target: Target): Plan {
  const { requestFor } = target.asking
  const listed = (work: Work, places: Place[]) => built(places.map((place) => requestFor(work, place)))
  const forever = (requests: PlainRequest[] | undefined) => requests && { requests, once: false }
  const status = work === 'R5' ? 304 : 200
  if (work === 'R5') return { ...goingRound(() => tagged(estate, target)), status }
  if (work === 'W1' || work === 'MIX') return { ...renaming(estate, requestFor, work), status }
  if (work === 'W2' || work === 'W5') {
    return rolling(status, async (cursor, responses) => {
      const requests = listed(work, roomPlaces(estate, cursor, responses))
      return requests && { requests, once: work === 'W5' }
    })
  }
  if (work === 'W3') {
    return rolling(status, async (cursor, responses) => {
      const requests = await deleting(target, roomPlaces(estate, cursor, responses))
      return requests && { requests, once: true }
    })
  }
  if (work === 'W4') return { ...keeping(async () => forever(listed('W4', openAndClose(estate)))), status }
  const places = work === 'R1' ? partnerPlaces(estate) : facilityPlaces(estate)
  return { ...goingRound(async () => forever(listed(work, places))), status }
}

function built(requests: (PlainRequest | undefined)[]): PlainRequest[] | undefined {
  return requests.includes(undefined) ? undefined : (requests as PlainRequest[])
}

/** Uses the same list for every batch. */
function keeping(make: () => Promise<Batch | undefined>): Omit<Plan, 'status'> {
  let batch: Promise<Batch | undefined> | undefined
  return {
    next: () => {
      batch ??= make()
      return batch
    },
    used: () => {},
  }
}

/** Uses the same list for every batch, each starting where the previous one ended. */
function goingRound(make: () => Promise<Batch | undefined>): Omit<Plan, 'status'> {
  const { next } = keeping(make)
  let begun = 0
  return {
    next: async (responses) => {
      const batch = await next(responses)
      if (batch === undefined) return undefined
      const at = begun % batch.requests.length
      return { ...batch, requests: [...batch.requests.slice(at), ...batch.requests.slice(0, at)] }
    },
    used: (responses) => {
      begun += responses
    },
  }
}

function rolling(
  status: Plan['status'],
  make: (cursor: number, responses: number) => Promise<Batch | undefined>,
): Plan {
  let cursor = 0
  return {
    status,
    next: (responses) => make(cursor, Math.min(Math.max(responses, connections), maxListLength)),
    used: (responses) => {
      cursor += responses
    },
  }
}

/** A stride coprime to the number of facilities, so that it visits all of them, far from one another. */
const stride = 7919

/** Visits each facility once, with alternating partners; the length is a multiple of the connections. */
export function facilityPlaces(estate: BenchEstate): Place[] {
  const count = estate.facilities - (estate.facilities % connections)
  return Array.from({ length: Math.min(count, maxListLength) }, (_, index) => placeAt(estate, index, 0, 0))
}

function placeAt(estate: BenchEstate, index: number, area: number, turn: number): Place {
  const facility = (index * stride) % estate.facilities
  const partners = estate.partnersOf(facility)
  return { facility, area, partner: partners[index % partners.length] ?? 0, turn }
}

function partnerPlaces(estate: BenchEstate): Place[] {
  return Array.from({ length: estate.partners }, (_, partner) => ({ facility: 0, area: 0, partner, turn: 0 }))
}

/** Uses initially empty rooms if there are any; the last quarter is reserved for opening and closing. */
function roomPlaces(estate: BenchEstate, cursor: number, count: number): Place[] {
  const firstRoom = estate.areas > estate.roomsWithSubscriptions ? estate.roomsWithSubscriptions : 0
  const rooms = Math.floor(estate.areas * 0.75) - firstRoom
  return Array.from({ length: count }, (_, step) => {
    const lap = Math.floor((cursor + step) / estate.facilities)
    return placeAt(estate, cursor + step, firstRoom + (lap % rooms), 3 + lap)
  })
}

const roomsToOpen = 5

/** Opens all rooms, then closes all, each on one connection, so that no room is closed before it is open. */
function openAndClose(estate: BenchEstate): Place[] {
  const facilities = facilityPlaces(estate)
  const rooms = Math.max(Math.min(roomsToOpen, Math.floor(maxListLength / facilities.length / 2)), 1)
  const first = Math.floor(estate.areas * 0.75)
  return Array.from({ length: rooms * 2 }, (_, lap) =>
    facilities.map((place) => ({ ...place, area: first + Math.floor(lap / 2), turn: lap })),
  ).flat()
}

/** Every name is new: writing the current name would change nothing. */
function renaming(
  estate: BenchEstate,
  requestFor: Asking['requestFor'],
  work: 'W1' | 'MIX',
): Pick<Plan, 'next' | 'used'> {
  const facilities = facilityPlaces(estate)
  const laps = work === 'W1' ? 2 : 10
  let batches = 0
  let begun = 0
  return {
    next: async () => {
      batches++
      const length = Math.min(facilities.length * laps, maxListLength)
      const requests = built(
        Array.from({ length }, (_, index) => {
          const place = facilities[(begun + index) % facilities.length] as Place
          const writes = work === 'W1' || index % 20 === 19
          const turn = batches * laps + Math.floor(index / facilities.length)
          return requestFor(writes ? 'W1' : 'R2', { ...place, turn })
        }),
      )
      return requests && { requests, once: false }
    },
    used: (responses) => {
      begun += responses
    },
  }
}

async function tagged(estate: BenchEstate, { url, asking }: Target): Promise<Batch | undefined> {
  const places = facilityPlaces(estate)
  const reads = built(places.map((place) => asking.requestFor('R3', place)))
  if (reads === undefined) return undefined
  const etags = await collectFrom({ url, connections, requests: reads, take: 'etag' })
  if (etags.some((etag) => etag === '')) return undefined
  const requests = built(places.map((place, index) => asking.requestFor('R5', { ...place, etag: etags[index] ?? '' })))
  return requests && { requests, once: false }
}

/** Adds a subscription to each room, to have ids that exist. */
async function deleting({ url, asking }: Target, places: Place[]): Promise<PlainRequest[] | undefined> {
  const additions = built(places.map((place) => asking.requestFor('W2', place)))
  if (additions === undefined) return undefined
  const bodies = await collectFrom({ url, connections, requests: additions, take: 'body' })
  const subscriptions = bodies.map((body) => asking.subscriptionIn(body))
  return built(
    places.map((place, index) => asking.requestFor('W3', { ...place, subscription: subscriptions[index] ?? '' })),
  )
}
