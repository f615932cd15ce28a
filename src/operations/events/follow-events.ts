import { setImmediate as breath } from 'node:timers/promises'
import { Refusal } from '../../domain/refusal.ts'
import { cursorExpired, EventIds, entryBefore } from '../../domain/room/event-offset.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'
import { eventSecret } from '../../storage/webhook/event-secret.ts'
import { type EventsWanted, type EventView, eventsFor, newestPlace, whenChanged } from './events.ts'

/** Who follows, and until when. */
export interface Following {
  db: Db
  token: CachedToken
  /** The token as it is now; throws when it may no longer be used. */
  reauthenticate(): Promise<CachedToken>
  /** Aborted when nobody listens any more, or the node stops. */
  signal: AbortSignal
}

export interface EventSearch extends EventsWanted {
  /** A cursor, or the id of the last event that is known; what happens from now on without it. */
  after: string | undefined
}

/** Beyond so many pages in which nothing is for this partner it is told how far that was, and asks again. */
const pagesAtMost = 50

/** One partner's way through the events. */
export class Follower {
  readonly #following: Following
  readonly #wanted: EventsWanted
  readonly #names: EventIds
  #token: CachedToken
  #place: number
  #isAtEnd = false
  /** It has just been asked where the end is: there is nothing behind it yet. */
  #hasJustBegun = false

  private constructor(following: Following, wanted: EventsWanted, names: EventIds, place: number) {
    this.#following = following
    this.#wanted = wanted
    this.#names = names
    this.#token = following.token
    this.#place = place
  }

  static async begin(following: Following, { after, ...wanted }: EventSearch): Promise<Follower> {
    const { db, token } = following
    const names = new EventIds(await eventSecret(db), token.partner.id)
    if (after === undefined) {
      const follower = new Follower(following, wanted, names, await newestPlace(db))
      follower.#hasJustBegun = true
      return follower
    }
    const place = names.read(after)
    if (place === undefined) {
      const detail = '"after" must be the "next" of an earlier answer, or the id of an event.'
      throw new Refusal('parameter_invalid', detail)
    }
    if (entryBefore(place) > (await db.auditFeed.lastOffset())) throw cursorExpired()
    return new Follower(following, wanted, names, place)
  }

  /** Where the next look begins. */
  get cursor(): string {
    return this.#names.cursor(this.#place)
  }

  /** When its token ends by itself. */
  get endsAtMs(): number {
    return this.#token.expiresAtMs
  }

  /**
   * What is new. Whether it may be told is asked after it was read: by then whatever was taken away before it happened
   * is known to be.
   */
  async look(): Promise<EventView[]> {
    if (this.#hasJustBegun) {
      this.#hasJustBegun = false
      this.#isAtEnd = true
      return []
    }
    for (let page = 0; page < pagesAtMost; page++) {
      const { partner } = this.#token
      const { events, last, more } = await eventsFor(this.#following.db, partner, this.#place, this.#wanted)
      this.#token = await this.#following.reauthenticate()
      if (this.#token.partner.version !== partner.version) continue
      this.#place = last
      this.#isAtEnd = !more
      if (events.length > 0 || !more) return events.map(({ view }) => view)
      await breath()
    }
    return []
  }

  /** Waits for more, but not longer than this. */
  async wait(atMostMs: number): Promise<void> {
    if (!this.#isAtEnd || atMostMs <= 0) return
    const { db, signal } = this.#following
    await whenChanged(db, this.#place, AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(atMostMs))]))
  }

  get isOver(): boolean {
    return this.#following.signal.aborted
  }
}

/** The next events, waited for when there are none yet. Changes that are not for this partner end no wait. */
export async function nextEvents(follower: Follower, waitMs: number): Promise<EventView[]> {
  const untilMs = performance.now() + waitMs
  for (;;) {
    const events = await follower.look()
    const leftMs = untilMs - performance.now()
    if (events.length > 0 || leftMs <= 0 || follower.isOver) return events
    await follower.wait(leftMs)
  }
}

/** Proxies give up on a connection on which nothing comes for longer. */
const silenceMs = 10_000

/** Events as they come, and nothing now and then, until they may no longer be told or nobody listens. */
export async function* eventsAsTheyCome(follower: Follower, first: EventView[]): AsyncGenerator<EventView[]> {
  yield first
  let toldMs = performance.now()
  while (!follower.isOver) {
    const leftMs = Math.max(0, toldMs + silenceMs - performance.now())
    await follower.wait(Math.min(leftMs, Math.max(1, follower.endsAtMs - Date.now())))
    const events = await follower.look()
    const isSilent = performance.now() - toldMs < silenceMs
    if (follower.isOver || (events.length === 0 && isSilent)) continue
    yield events
    toldMs = performance.now()
  }
}
