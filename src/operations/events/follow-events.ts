import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { permit } from '../../domain/permission.ts'
import { Refusal } from '../../domain/refusal.ts'
import { cursorExpired, EventIds, entryBefore } from '../../domain/room/event-offset.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'
import { eventSecret } from '../../storage/webhook/event-secret.ts'
import { type EventQuery, type EventView, eventsFor, newestOffset, waitForEvents } from './events.ts'

/** A partner's request that waits for events: a long poll or a stream. */
interface FollowRequest {
  db: Db
  token: CachedToken
  /** Throws if the token was revoked or has expired. */
  reauthenticate(): Promise<CachedToken>
  /** Aborted when the client disconnects or the node stops. */
  signal: AbortSignal
}

interface EventSearch extends EventQuery {
  /** The position after which the events begin: a cursor or the id of an event. Default: the newest event. */
  after: string | undefined
}

/** The pages per poll. If the partner may see no event in any of them, it gets a new cursor and no events. */
const maxPagesPerPoll = 50

export class Follower {
  readonly #following: FollowRequest
  readonly #wanted: EventQuery
  readonly #eventIds: EventIds
  #token: CachedToken
  #offset: number
  #isAtEnd = false
  /** Whether the follower started at the newest event and was not polled yet: if so, its first poll needs no query. */
  #hasJustBegun = false

  private constructor(following: FollowRequest, wanted: EventQuery, eventIds: EventIds, offset: number) {
    this.#following = following
    this.#wanted = wanted
    this.#eventIds = eventIds
    this.#token = following.token
    this.#offset = offset
  }

  static async begin(following: FollowRequest, { after, ...wanted }: EventSearch): Promise<Follower> {
    const { db, token } = following
    await assertVisible(db, token, wanted.facility)
    const eventIds = new EventIds(await eventSecret(db), token.partner.id)
    if (after === undefined) {
      const follower = new Follower(following, wanted, eventIds, await newestOffset(db))
      follower.#hasJustBegun = true
      return follower
    }
    const offset = eventIds.read(after)
    if (offset === undefined) {
      const detail = '"after" must be the "next" of an earlier response, or the id of an event.'
      throw new Refusal('parameter_invalid', detail)
    }
    if (entryBefore(offset) > (await db.auditFeed.lastOffset())) throw cursorExpired()
    return new Follower(following, wanted, eventIds, offset)
  }

  get cursor(): string {
    return this.#eventIds.cursor(this.#offset)
  }

  /** The time at which the token of the follower expires, in ms since the Unix epoch. */
  get endsAtMs(): number {
    return this.#token.expiresAtMs
  }

  /**
   * Checks the permissions again after reading a page. If they have changed, reads it again, so that no event is shown
   * under a grant that was removed before the event.
   */
  async poll(): Promise<EventView[]> {
    if (this.#hasJustBegun) {
      this.#hasJustBegun = false
      this.#isAtEnd = true
      return []
    }
    for (let page = 0; page < maxPagesPerPoll; page++) {
      const { partner } = this.#token
      const { events, last, more } = await eventsFor(this.#following.db, partner, this.#offset, this.#wanted)
      this.#token = await this.#following.reauthenticate()
      if (this.#token.partner.version !== partner.version) continue
      this.#offset = last
      this.#isAtEnd = !more
      if (events.length > 0 || !more) return events.map(({ view }) => view)
      await yieldToEventLoop()
    }
    return []
  }

  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isAtEnd || timeoutMs <= 0) return
    const { db, signal } = this.#following
    await waitForEvents(db, this.#offset, AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]))
  }

  get isOver(): boolean {
    return this.#following.signal.aborted
  }
}

/** Refuses an absent and a hidden facility with one message, so that they cannot be distinguished. */
async function assertVisible({ cache }: Db, { partner }: CachedToken, facility: string | undefined): Promise<void> {
  if (facility === undefined) return
  const isVisible = permit(partner, facility, 'none') !== 'hidden'
  if (isVisible && (await cache.facilities.find(facility)) !== undefined) return
  throw new Refusal('parameter_invalid', '"facility" must be the external id of a facility that this partner can see.')
}

/** Returns the next events, for long polling. Waits up to `waitMs` for one that the partner may see. */
export async function pollEvents(follower: Follower, waitMs: number): Promise<EventView[]> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    const events = await follower.poll()
    const leftMs = deadlineMs - performance.now()
    if (events.length > 0 || leftMs <= 0 || follower.isOver) return events
    await follower.wait(leftMs)
  }
}

/** The interval of keep-alive messages on streams, below the idle timeouts of usual proxies. */
const keepAliveMs = 10_000

/** Sends an empty list as a keep-alive. Ends when the token expires or the client disconnects. */
export async function* streamEvents(follower: Follower, first: EventView[]): AsyncGenerator<EventView[]> {
  yield first
  let lastSentMs = performance.now()
  while (!follower.isOver) {
    const leftMs = Math.max(0, lastSentMs + keepAliveMs - performance.now())
    await follower.wait(Math.min(leftMs, Math.max(1, follower.endsAtMs - Date.now())))
    const events = await follower.poll()
    const isRecent = performance.now() - lastSentMs < keepAliveMs
    if (follower.isOver || (events.length === 0 && isRecent)) continue
    yield events
    lastSentMs = performance.now()
  }
}
