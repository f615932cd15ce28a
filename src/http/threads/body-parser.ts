import { type CurrentList, draftList, type ListDraft, type ListRules } from '../../domain/autocomplete-list.ts'
import { refusalAt } from '../../domain/refusal.ts'
import { draftSubscriptions, type SubscriptionDraft, type SubscriptionRules } from '../../domain/room/subscription.ts'
import { Overran, Thread } from './thread.ts'

/** What is smaller is done sooner than it is handed over. */
const largeBytes = 32_768
/** What a body may hold the others' thread up with: what takes longer is done again by another one. */
const quickMs = 150
const limitMs = 1000
/** A partner that overran goes to the other thread at once for so long. */
const slowForMs = 60_000

/**
 * Parses large bodies in worker threads, and those to which a contract is applied, as the time that its patterns take is
 * not known: other requests wait neither for the event loop nor behind them. A partner whose contract was slow lately is
 * served by another thread, which it shares with other such partners only.
 */
export class BodyParser {
  /** A long list lets short requests go first. */
  readonly #lists = new Thread('list', { waitingAtMost: 32, isLowPriority: true })
  readonly #subscriptions = new Thread('subscriptions', {
    waitingAtMost: 100,
    limitMs: quickMs,
    overran: (partner) => this.#demote(partner),
  })
  readonly #slow = new Thread('subscriptions', { waitingAtMost: 4, limitMs, isLowPriority: true })
  /** Until when, by partner. */
  readonly #slowUntilMs = new Map<string, number>()

  /** `present` gives what a long list is compared with, for that is work for a thread, too. Its body is the thread's then. */
  async draftList(
    partner: string,
    body: Uint8Array,
    rules: ListRules,
    present: () => Promise<CurrentList>,
  ): Promise<ListDraft> {
    if (body.length < largeBytes) return draftList(body, rules)
    const made = await present()
    const handedOver = [made.before.buffer]
    const job = { body, rules: { ...rules, ...made } }
    return (await this.#lists.run(partner, job, { handedOver })) as ListDraft
  }

  /** What a contract's patterns make of a text can take for ever, so it is never found out here. */
  async draftSubscriptions(partner: string, body: Uint8Array, rules: SubscriptionRules): Promise<SubscriptionDraft[]> {
    const isLimited = rules.contract !== null
    if (body.length < largeBytes && !isLimited) return draftSubscriptions(body, rules)
    const run = (thread: Thread) => thread.run(partner, { body, rules }, { isLimited }) as Promise<SubscriptionDraft[]>
    if (!isLimited || !this.#isSlow(partner)) {
      const drafts = await run(this.#subscriptions).catch(unlessOverran)
      if (drafts !== undefined) return drafts
    }
    const drafts = await run(this.#slow).catch(unlessOverran)
    if (drafts !== undefined) return drafts
    throw refusalAt('item_invalid', '/value', "To check these against the partner's contract takes too long.")
  }

  #isSlow(partner: string): boolean {
    const untilMs = this.#slowUntilMs.get(partner)
    if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined
    this.#slowUntilMs.delete(partner)
    return false
  }

  #demote(partner: string): void {
    this.#slowUntilMs.set(partner, performance.now() + slowForMs)
    this.#subscriptions.withdraw(partner)
  }
}

function unlessOverran(error: unknown): undefined {
  if (!(error instanceof Overran)) throw error
}
