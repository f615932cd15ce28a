import { type CurrentList, draftList, type ListDraft, type ListRules } from '../../domain/autocomplete-list.ts'
import { refusalAt } from '../../domain/refusal.ts'
import { type BodyForm, type ParsedBodies, parseServicesBody } from '../../domain/room/services-body.ts'
import type { SubscriptionRules } from '../../domain/room/subscription.ts'
import { JobTimeout, WorkerThread } from './worker-thread.ts'

/** The minimum size for a worker thread: a smaller body is parsed faster than it is sent to a thread. */
const largeBytes = 32_768
/** Timeout in the shared thread. A body that takes longer is parsed again in the thread for slow partners. */
const fastTimeoutMs = 150
const slowTimeoutMs = 1000
/** How long a partner goes straight to the slow thread after a timeout. */
const slowForMs = 60_000

/**
 * Parses large bodies in worker threads, so that they do not block the event loop, and all bodies of partners with a
 * contract, since a regular expression in it can take unbounded time. A partner whose contract was slow lately gets
 * another thread, which it shares with other such partners only, so that it delays no other requests.
 */
export class BodyParser {
  /** Low priority: a long list takes CPU time only when the event loop does not need it. */
  readonly #lists = new WorkerThread('list', { maxPending: 32, isLowPriority: true })
  readonly #subscriptions = new WorkerThread('subscriptions', {
    maxPending: 100,
    timeoutMs: fastTimeoutMs,
    onTimeout: (partner) => this.#demote(partner),
  })
  readonly #slow = new WorkerThread('subscriptions', { maxPending: 4, timeoutMs: slowTimeoutMs, isLowPriority: true })
  /** The time until which a partner uses the slow thread, by partner. */
  readonly #slowUntilMs = new Map<string, number>()

  /**
   * Parses a new list. A long one is also compared with the current list in the thread; `loadCurrent` must return a
   * buffer of its own, since it is transferred.
   */
  async draftList(
    partner: string,
    body: Uint8Array,
    rules: ListRules,
    loadCurrent: () => Promise<CurrentList>,
  ): Promise<ListDraft> {
    if (body.length < largeBytes) return draftList(body, rules)
    const current = await loadCurrent()
    const transferList = [current.before.buffer]
    const job = { body, rules: { ...rules, ...current } }
    return (await this.#lists.run(partner, job, { transferList })) as ListDraft
  }

  /**
   * Parses a body with subscriptions. A contract is never applied on the event loop, since its patterns can take
   * unbounded time.
   */
  async parseServices<F extends BodyForm>(
    partner: string,
    body: Uint8Array,
    rules: SubscriptionRules & { form: F },
  ): Promise<ParsedBodies[F]> {
    const isLimited = rules.contract !== null
    if (body.length < largeBytes && !isLimited) return parseServicesBody(body, rules)
    const run = (thread: WorkerThread) =>
      thread.run(partner, { body, rules }, { isLimited }) as Promise<ParsedBodies[F]>
    if (!isLimited || !this.#isSlow(partner)) {
      const drafts = await run(this.#subscriptions).catch(unlessTimeout)
      if (drafts !== undefined) return drafts
    }
    const drafts = await run(this.#slow).catch(unlessTimeout)
    if (drafts !== undefined) return drafts
    const pointer = rules.form === 'legacy' ? '/value' : ''
    throw refusalAt('item_invalid', pointer, "To check these against the partner's contract takes too long.")
  }

  #isSlow(partner: string): boolean {
    const untilMs = this.#slowUntilMs.get(partner)
    if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined
    this.#slowUntilMs.delete(partner)
    return false
  }

  #demote(partner: string): void {
    this.#slowUntilMs.set(partner, performance.now() + slowForMs)
    this.#subscriptions.cancelPending(partner)
  }
}

function unlessTimeout(error: unknown): undefined {
  if (!(error instanceof JobTimeout)) throw error
}
