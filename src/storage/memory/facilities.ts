import type { Access } from '../../domain/grant.ts'
import { ownText } from '../../domain/text.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'
import { Bounded, type Weighed } from './bounded.ts'
import { andThen, type Maybe } from './maybe.ts'
import type { Shelf } from './ready-answer.ts'
import { type Figures, Remembered } from './remembered.ts'

/** What is remembered of a facility. Once it was forgotten, `isGone`, and nothing is kept with it any more. */
export interface KnownFacility extends Weighed, Shelf {
  readonly id: number
  readonly idExternal: string
  readonly timezone: string
  readonly roomServices: boolean
  /** Counts what happened to it, so that an answer which was being made meanwhile is not kept. */
  stamp: number
  isGone: boolean
  /** The partner that last asked, with what it may do here. */
  seenBy: object | undefined
  seenWith: Access | undefined
}

const find = statement<{ id: number; timezone: string; room_services: number }>(
  'select id, timezone, room_services from facility where id_external = $1',
)

export function rememberedFacilities(
  ask: Engine['ask'],
  limitBytes: number,
  forgotten: (facility: KnownFacility) => void,
): Remembered<KnownFacility> {
  const load = (idExternal: string) =>
    andThen(ask(find, idExternal), ([row]) => {
      if (row === undefined) return undefined
      const { id, timezone, room_services } = row
      return known({ id, idExternal, timezone, roomServices: room_services === 1 })
    })
  const gone = (facility: KnownFacility) => {
    facility.isGone = true
    forgotten(facility)
  }
  return new Remembered(limitBytes, { load, gone })
}

const facilityBytes = 180

export function known(facility: Pick<KnownFacility, 'id' | 'idExternal' | 'timezone' | 'roomServices'>): KnownFacility {
  const { id, idExternal, timezone, roomServices } = facility
  return {
    id,
    idExternal,
    timezone: shared(timezone),
    roomServices,
    stamp: 0,
    answers: 0,
    isGone: false,
    seenBy: undefined,
    seenWith: undefined,
    used: false,
    bytes: facilityBytes + idExternal.length,
  }
}

const texts = new Map<string, string>()
const textsAtMost = 1000

/** Facilities are many and time zones few: each is kept once. */
function shared(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  if (texts.size >= textsAtMost) texts.clear()
  texts.set(text, text)
  return text
}

/** What is found where a room would be: the room, or the next that there is. */
export interface FoundPlace {
  facility: string
  isRoom: boolean
}

const facilityOfPlace = statement<{ facility: string; is_room: number }>(`
  select f.id_external as facility, case when a.id_external = $1 then 1 else 0 end as is_room
  from area a join facility f on f.id = a.facility_id
  where a.id_external >= (
    select case when id_external < $1 then id_external else $1 end
    from area where id_external > '' order by id_external desc limit 1)
  order by a.id_external limit 1`)

/**
 * The facility that a room belongs to. It is asked of the database each time, and one that is not there takes the same
 * steps to another, the last for all beyond it: whoever must not see the room cannot tell them by the time.
 */
export function facilityOfRoom(ask: Engine['ask'], fullId: string): Maybe<FoundPlace | undefined> {
  return andThen(ask(facilityOfPlace, fullId), ([row]) => {
    return row && { facility: row.facility, isRoom: row.is_room === 1 }
  })
}

interface KnownPlace extends Weighed {
  readonly facility: KnownFacility
}

const placeBytes = 150

/** Which facility a room belongs to, by the room's full id. */
export class Places {
  readonly #kept: Bounded<KnownPlace>
  #hits = 0
  #misses = 0
  /** Counts what was forgotten: what was found out before that is not kept any more. */
  #era = 0

  constructor(limitBytes: number) {
    this.#kept = new Bounded(limitBytes)
  }

  get figures(): Figures {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#kept.bytes, entries: this.#kept.size }
  }

  get(fullId: string): KnownFacility | undefined {
    const facility = this.#kept.get(fullId)?.facility
    if (facility === undefined || facility.isGone) return undefined
    this.#hits++
    return facility
  }

  /** What is not at hand is about to be looked up; gives what `keep` needs to know of this moment. */
  miss(): number {
    this.#misses++
    return this.#era
  }

  keep(fullId: string, facility: KnownFacility, era: number): void {
    if (era !== this.#era) return
    this.#kept.set(ownText(fullId), { facility, used: false, bytes: placeBytes + fullId.length })
  }

  /** Something became of rooms that may be looked up at this moment. */
  forgetLoads(): void {
    this.#era++
  }

  forgetAll(): void {
    this.#era++
    this.#kept.clear()
  }
}
