import type { CallOptions, Calls } from './calls.ts'
import { retryDelayMs, sleep } from './retry.ts'
import type { Event, EventPage } from './schema.ts'

export interface EventOptions extends CallOptions {
  /** Id of the last processed event, to resume after it; default: from now on. */
  after?: string | undefined
  /** `false` leaves out changes by this partner itself. */
  own?: boolean
}

/** Leaves time for the network within the timeout of one attempt. */
const marginSeconds = 5
const maxWaitSeconds = 25

/** Streams events by long polling, endlessly, across restarts and broken connections: each once and in order. */
export async function* eventsOf(calls: Calls, options: EventOptions): AsyncGenerator<Event, void, undefined> {
  const { own, signal } = options
  const wait = Math.max(0, Math.min(maxWaitSeconds, Math.floor(calls.timeoutMs / 1000) - marginSeconds))
  let { after } = options
  for (let failures = 0; ; ) {
    // Gets the starting cursor with a call that does not wait, so that a failed long poll loses no event.
    const asked = after === undefined ? {} : { after, wait: `${wait}` }
    const query = new URLSearchParams({ ...asked, ...(own === false && { own: 'false' }) })
    const call = { method: 'GET', path: `/events?${query}`, options: { signal }, isIdempotent: true } as const
    const page = await calls.once<EventPage>(call).catch((failure: unknown) => {
      const delayMs = signal?.aborted ? undefined : retryDelayMs(++failures, failure, true)
      if (delayMs === undefined) throw failure
      return sleep(delayMs, signal)
    })
    if (page === undefined) continue
    failures = 0
    yield* page.data
    after = page.next
  }
}
