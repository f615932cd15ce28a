import type { CallOptions, Calls } from './calls.ts'
import { pauseBefore, sleep } from './retry.ts'
import type { Event, EventPage } from './schema.ts'

export interface EventOptions extends CallOptions {
  /** The id of the last event that was dealt with: what came after it is told first. From now on where it is not given. */
  after?: string | undefined
  /** `false` leaves out what this partner itself has done. */
  own?: boolean
}

/** What one try may take is shared with the way there and back. */
const marginSeconds = 5
const waitAtMostSeconds = 25

/** Events as they come, without an end: through restarts and broken connections, each once and in order. */
export async function* eventsOf(calls: Calls, options: EventOptions): AsyncGenerator<Event, void, undefined> {
  const { own, signal } = options
  const wait = Math.max(0, Math.min(waitAtMostSeconds, Math.floor(calls.timeoutMs / 1000) - marginSeconds))
  let { after } = options
  for (let failures = 0; ; ) {
    // Where to begin is asked first, and at once: what happens while a longer call breaks off is not lost.
    const asked = after === undefined ? {} : { after, wait: `${wait}` }
    const query = new URLSearchParams({ ...asked, ...(own === false && { own: 'false' }) })
    const call = { method: 'GET', path: `/events?${query}`, options: { signal }, isRepeatable: true } as const
    const page = await calls.once<EventPage>(call).catch((failure: unknown) => {
      const pauseMs = signal?.aborted ? undefined : pauseBefore(++failures, failure, true)
      if (pauseMs === undefined) throw failure
      return sleep(pauseMs, signal)
    })
    if (page === undefined) continue
    failures = 0
    yield* page.data
    after = page.next
  }
}
