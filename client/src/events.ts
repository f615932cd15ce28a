import type { CallOptions, Calls } from './calls.ts'
import { query } from './query.ts'
import { retryDelayMs, sleep } from './retry.ts'
import type { Event, EventPage } from './schema.ts'

export type EventType = Event['type']
export type EventOfType<Type extends EventType> = Extract<Event, { type: Type }>

export interface EventOptions<Type extends EventType = EventType> extends CallOptions {
  /** Id of the last processed event, to resume after it; default: from now on. */
  after?: string | undefined
  /** `false` leaves out changes by this partner itself. */
  own?: boolean | undefined
  /** Only events of these types. */
  types?: readonly Type[] | undefined
  /** Only events of this facility. */
  facility?: string | undefined
}

/** Leaves time for the network within the timeout of one attempt. */
const marginSeconds = 5
const maxWaitSeconds = 25

/** Streams events by long polling, endlessly, across restarts and broken connections: each once and in order. */
export async function* eventsOf<Type extends EventType>(
  calls: Calls,
  options: EventOptions<Type>,
): AsyncGenerator<EventOfType<Type>, void, undefined> {
  const { own, types, facility, signal } = options
  const wait = Math.max(0, Math.min(maxWaitSeconds, Math.floor(calls.timeoutMs / 1000) - marginSeconds))
  let { after } = options
  for (let failures = 0; ; ) {
    // Gets the starting cursor with a call that does not wait, so that a failed long poll loses no event.
    const asked = after === undefined ? {} : { after, wait }
    const path = `/events${query({ ...asked, own, types, facility })}`
    const call = { method: 'GET', path, options: { signal }, isIdempotent: true } as const
    const page = await calls.once<EventPage>(call).catch((failure: unknown) => {
      const delayMs = signal?.aborted ? undefined : retryDelayMs(++failures, failure, true)
      if (delayMs === undefined) throw failure
      return sleep(delayMs, signal)
    })
    if (page === undefined) continue
    failures = 0
    yield* page.data as EventOfType<Type>[]
    after = page.next
  }
}
