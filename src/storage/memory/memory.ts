import { type AuditAction, auditActions, type Scope } from '../../domain/audit.ts'
import type { Change, Changes, Engine } from '../engine.ts'
import { Answers, type Body, prepare } from './answers.ts'
import { facilityOfRoom, type KnownFacility, Places, rememberedFacilities } from './facilities.ts'
import { andThen, type Maybe } from './maybe.ts'
import {
  facilitiesNamed,
  type KnownPartner,
  type KnownToken,
  rememberedPartners,
  rememberedTokens,
} from './partners.ts'
import type { KeptAnswer, ReadyAnswer } from './ready-answer.ts'
import type { Figures, Remembered } from './remembered.ts'
import { Tags } from './tags.ts'
import { Watch } from './watch.ts'

/** The kinds of answer about a facility. */
export type Kind = 'own' | keyof typeof slots

/** An answer about the facility itself has the reader's mask as its slot. */
export const slots = { areas: -1, list: -2 } as const

/** Changed facilities are told apart up to this many; then every partner's list is made again. */
const changedAtMost = 10_000

/**
 * What a node remembers of the database: who may do what, and answers as bytes. After `catchUp` all of it is true of
 * the newest committed state, whoever committed it.
 */
export class Memory {
  readonly tokens: Remembered<KnownToken>
  readonly partners: Remembered<KnownPartner>
  readonly facilities: Remembered<KnownFacility>
  readonly places: Places
  readonly answers: Answers
  readonly #tags: ReadonlyMap<number, Tags>
  readonly #ask: Engine['ask']
  readonly #watch: Watch
  /** Counts changes of what lists of facilities show, and remembers when each facility last had one. */
  #tick = 1
  readonly #changedAt = new Map<string, number>()
  #oldestTick = 0

  constructor({ ask, look }: Pick<Engine, 'ask' | 'look'>, limitBytes: number) {
    // Bodies take most of it; the rest finds them. Where a facility and its answer fit, so do those who ask for them.
    this.#tags = new Map(Object.values(slots).map((slot) => [slot, new Tags(limitBytes * 0.034)]))
    this.answers = new Answers(limitBytes * 0.607, this.#tags)
    const drop = (shelf: KnownFacility | KnownPartner) => this.answers.drop(shelf)
    this.partners = rememberedPartners(ask, limitBytes * 0.088, drop)
    this.tokens = rememberedTokens(ask, this.partners, limitBytes * 0.042)
    this.facilities = rememberedFacilities(ask, limitBytes * 0.159, drop)
    this.places = new Places(limitBytes * 0.036)
    this.#ask = ask
    this.#watch = new Watch(look, (changes) => this.#apply(changes))
  }

  get figures(): Record<string, Figures> {
    const { answers, tokens, partners, facilities, places } = this
    return {
      answers: answers.figures,
      tags: sumOf([...this.#tags.values()].map((tags) => tags.figures)),
      tokens: tokens.figures,
      partners: partners.figures,
      facilities: facilities.figures,
      places: places.figures,
    }
  }

  /**
   * The facility of a room that is not at hand, for those who may see it. Says by nothing, its time included, whether
   * there is a room that must not be seen.
   */
  facilityOfRoom(fullId: string, isSeen: (facility: string) => boolean): Maybe<KnownFacility | undefined> {
    const era = this.places.miss()
    return andThen(facilityOfRoom(this.#ask, fullId), (place) => {
      // Asked of whatever was found, since that takes its time as well.
      if (place === undefined || !isSeen(place.facility) || !place.isRoom) return undefined
      return andThen(this.facilities.find(place.facility), (facility) => {
        if (facility !== undefined) this.places.keep(fullId, facility, era)
        return facility
      })
    })
  }

  /** Nothing to wait for, or a promise. */
  catchUp(): Promise<void> | undefined {
    return this.#watch.catchUp()
  }

  /** A token that is being loaded may have found the partner as it was: kept, it would never be told of a change. */
  forgetPartner(id: string): void {
    this.partners.forget(id)
    this.tokens.forgetLoads()
  }

  /** Whoever catches up next does not rely on what was known earlier in this turn of the event loop. */
  expire(): void {
    this.#watch.expire()
  }

  /** An answer about a facility, made when it is not at hand. One that was overtaken by a change is not kept. */
  answer(facility: KnownFacility, slot: number, make: () => Maybe<Body>): Maybe<ReadyAnswer> {
    const known = this.answers.get(facility, slot)
    if (known !== undefined) return known.held()
    this.answers.miss()
    const { stamp } = facility
    return andThen(make(), (body) => {
      const isTrue = !facility.isGone && facility.stamp === stamp
      return isTrue ? this.answers.keep(facility, slot, body) : prepare(facility, slot, body)
    })
  }

  /** The list of a partner's facilities, if it is at hand and still true. */
  listOf(partner: KnownPartner): KeptAnswer | undefined {
    if (partner.listTick !== this.#tick && !this.#isListTrue(partner)) return undefined
    partner.listTick = this.#tick
    return this.answers.get(partner, 0)
  }

  makeList(partner: KnownPartner, make: () => Maybe<Body>): Maybe<ReadyAnswer> {
    const known = this.listOf(partner)
    if (known !== undefined) return known.held()
    this.answers.miss()
    const tick = this.#tick
    return andThen(make(), (body) => {
      if (partner.isGone || tick !== this.#tick) return prepare(partner, 0, body)
      partner.listTick = tick
      return this.answers.keep(partner, 0, body)
    })
  }

  #isListTrue(partner: KnownPartner): boolean {
    const { everywhere, listTick } = partner
    if (everywhere !== undefined || listTick < this.#oldestTick) return false
    return facilitiesNamed(partner).every((facility) => (this.#changedAt.get(facility) ?? 0) <= listTick)
  }

  #apply(changes: Changes): void {
    if (changes !== 'everything') {
      for (const change of changes) this.#forget(change)
      return
    }
    this.tokens.forgetAll()
    this.partners.forgetAll()
    this.facilities.forgetAll()
    this.places.forgetAll()
  }

  #forget({ action, facility, partner }: Change): void {
    const scope: Scope | undefined = auditActions[action as AuditAction]
    // A newer Atrium beside this one may do things that this one does not know.
    if (scope === undefined || scope === 'everything') return this.#apply('everything')
    if (scope === 'nothing') return
    if (partner !== null) this.forgetPartner(partner)
    if (facility === null) return
    if (scope === 'room') return this.#overtake(facility, 'areas')
    if (scope === 'list') {
      // The facility shows how long its list is.
      this.#overtake(facility, 'own')
      return this.#overtake(facility, 'list')
    }
    this.#changed(facility)
    if (scope === 'property') return this.#overtake(facility, 'own')
    this.facilities.forget(facility)
    this.places.forgetLoads()
    if (scope !== 'facility_gone') return
    // Grants on it went with it: a facility that is made anew under the same id is nobody's.
    this.partners.forgetAll()
    this.tokens.forgetLoads()
  }

  #overtake(idExternal: string, kind: Kind): void {
    const facility = this.facilities.peek(idExternal)
    // One that is being loaded may be loaded with more than what is remembered of it.
    if (facility === undefined) return this.facilities.forgetLoad(idExternal)
    facility.stamp++
    if (kind !== 'own') return this.answers.drop(facility, slots[kind])
    for (const slot of this.answers.slotsOn(facility)) if (slot >= 0) this.answers.drop(facility, slot)
  }

  #changed(facility: string): void {
    this.#tick++
    if (this.#changedAt.size >= changedAtMost) {
      this.#changedAt.clear()
      this.#oldestTick = this.#tick
    }
    this.#changedAt.set(facility, this.#tick)
  }
}

function sumOf(all: Figures[]): Figures {
  const sum = (of: keyof Figures) => all.reduce((total, figures) => total + figures[of], 0)
  return { hits: sum('hits'), misses: sum('misses'), bytes: sum('bytes'), entries: sum('entries') }
}
