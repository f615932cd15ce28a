import { type CurrentList, draftList, type ListDraft, type ListRules } from '../../domain/autocomplete-list.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type BulkOrder, refuseServices } from '../../domain/room/bulk-body.ts'
import { type BodyForm, type ParsedBodies, parseServicesBody } from '../../domain/room/services-body.ts'
import type { SubscriptionRules } from '../../domain/room/subscription.ts'
import { JobTimeout, WorkerThread } from './worker-thread.ts'

/** Smaller bodies are parsed faster than they can be sent to a worker thread. */
const largeBytes = 32_768
/** The timeout in the thread of all partners. A body that takes longer is tried again in the thread for slow ones. */
const fastTimeoutMs = 150
const slowTimeoutMs = 1000
/** For how long after a timeout all bodies of the partner are parsed in the thread for slow partners. */
const slowForMs = 60_000

/**
 * Parses large bodies in worker threads, and all bodies of partners with a contract (a JSON Schema), whose regular
 * expressions can take unbounded time. Partners with a slow contract share a separate thread for a while, so that they
 * delay no others.
 */
export class BodyParser {
  /** Has low priority: a long list is parsed only when the event loop does not need the CPU. */
  readonly #lists = new WorkerThread('list', { maxPending: 32, isLowPriority: true })
  readonly #subscriptions = new WorkerThread('subscriptions', {
    maxPending: 100,
    timeoutMs: fastTimeoutMs,
    onTimeout: (partner) => this.#demote(partner),
  })
  readonly #slow = new WorkerThread('subscriptions', { maxPending: 4, timeoutMs: slowTimeoutMs, isLowPriority: true })
  /** For each slow partner, until when its bodies are parsed in the thread for slow partners. */
  readonly #slowUntilMs = new Map<string, number>()

  /** `loadCurrent` must return a buffer that is used nowhere else, because it moves to the thread. */
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

  /** Contracts (JSON Schemas) never run on the event loop: their regular expressions can take unbounded time. */
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
    throw new ContractTimeout(rules.form === 'legacy' ? '/value' : '')
  }

  /** If the contract (a JSON Schema) takes too long, refuses operations with services, and carries out the others. */
  async parseBulk(partner: string, body: Uint8Array, rules: SubscriptionRules): Promise<BulkOrder> {
    try {
      return await this.parseServices(partner, body, { ...rules, form: 'bulk' })
    } catch (error) {
      if (!(error instanceof ContractTimeout)) throw error
      const order = await this.parseServices(partner, body, { ...rules, contract: null, form: 'bulk' })
      return refuseServices(order, error.message)
    }
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

class ContractTimeout extends Refusal {
  constructor(pointer: string) {
    const detail = "To check these against the partner's contract takes too long."
    super('item_invalid', detail, { errors: [{ pointer, detail }] })
  }
}

function unlessTimeout(error: unknown): undefined {
  if (!(error instanceof JobTimeout)) throw error
}
