import { draftList, type ListDraft, type ListPresent, type ListRules } from '../domain/autocomplete-list.ts'
import { hasOwnMemory } from '../domain/bytes.ts'
import { refusalAt } from '../domain/refusal.ts'
import { draftSubscriptions, type SubscriptionDraft, type SubscriptionRules } from '../domain/subscription.ts'
import { Thread } from './thread.ts'

/** What is smaller is done sooner than it is handed over. */
const largeBytes = 32_768

/** Large bodies are read by threads of their own, so that nobody else waits for them. */
export class Apart {
  readonly #lists = new Thread('list')
  readonly #subscriptions = new Thread('subscriptions')

  /** `present` gives what a long list is compared with, for that is work for a thread, too. Its body is the thread's then. */
  async draftList(body: Uint8Array, rules: ListRules, present: () => Promise<ListPresent>): Promise<ListDraft> {
    if (body.length < largeBytes) return draftList(body, rules)
    const made = await present()
    const handedOver = [made.before.buffer, ...(hasOwnMemory(body) ? [body.buffer] : [])]
    return (await this.#lists.run(body, { ...rules, ...made }, { handedOver })) as ListDraft
  }

  /** What a contract's patterns make of a text can take for ever, so it is never found out here. */
  async draftSubscriptions(body: Uint8Array, rules: SubscriptionRules): Promise<SubscriptionDraft[]> {
    if (body.length < largeBytes && rules.contract === null) return draftSubscriptions(body, rules)
    const detail = "To check these against the partner's contract takes too long."
    const overdue = rules.contract === null ? undefined : refusalAt('item_invalid', '/value', detail)
    return (await this.#subscriptions.run(body, rules, { overdue })) as SubscriptionDraft[]
  }
}
