import type { EventView } from '../../operations/events/events.ts'
import { Follower, pollEvents, streamEvents } from '../../operations/events/follow-events.ts'
import { Type } from '../schema.ts'
import type { Endpoint, PartnerContext } from './endpoint.ts'
import * as examples from './examples.ts'
import type { QueryValues } from './parameters.ts'

const defaultLimit = 100

export const listEvents: Endpoint = {
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'Follow events',
  description:
    'Returns the events after a cursor that the grants of the partner permit, oldest first; send `next` as `after` in the next request. Without `after`, the response is empty and its `next` is the cursor for events from now on. With `wait`, the response is sent as soon as there is an event. With `Accept: text/event-stream`, the response does not end: each event comes with its id, and `Last-Event-ID` continues after a broken connection. A cursor is valid with other filters too.',
  needs: 'none',
  query: ['after', 'limit', 'wait', 'own', 'types', 'facility'],
  response: { description: 'What happened.', schema: Type.Ref('EventPage'), example: examples.eventPage, etag: false },
  refusals: ['cursor_expired'],
  handle: async (context) => {
    const { wait = 0, ...search } = context.query()
    const follower = await begin(context, wait > 0 ? enter(context) : AbortSignal.abort(), search)
    const startMs = performance.now()
    const data = await pollEvents(follower, wait * 1000)
    if (wait > 0) context.addWaitMs(performance.now() - startMs)
    return { body: JSON.stringify({ data, next: follower.cursor }) }
  },
  stream: {
    example: `id: ${examples.event.id}\nevent: ${examples.event.type}\ndata: ${JSON.stringify(examples.event)}\n\n`,
    open: async (context) => {
      const { after, ...search } = context.query()
      const follower = await begin(context, enter(context), { ...search, after: context.lastEventId ?? after })
      return serialize(follower, await follower.poll(), context)
    },
  },
}

/** Counts the request as a long poll or stream until the returned signal is aborted. Throws if there are too many. */
function enter({ followers, partner, abortSignal }: PartnerContext): AbortSignal {
  const signal = abortSignal()
  followers.enter(partner.id, signal)
  return signal
}

type Search = Pick<QueryValues, 'after' | 'limit' | 'own' | 'types' | 'facility'>

function begin(
  { db, token, reauthenticate }: PartnerContext,
  signal: AbortSignal,
  { after, limit = defaultLimit, own = true, types, facility }: Search,
): Promise<Follower> {
  return Follower.begin({ db, token, reauthenticate, signal }, { after, limit, ownToo: own, types, facility })
}

/** An error ends the stream, as status 200 was already sent. On reconnecting, the caller gets an error response. */
async function* serialize(follower: Follower, first: EventView[], context: PartnerContext): AsyncGenerator<string> {
  const startMs = performance.now()
  try {
    // When `events` is empty, sends a keep-alive comment with an id, so that the client's cursor advances nevertheless.
    for await (const events of streamEvents(follower, first)) {
      yield events.length > 0 ? events.map(serializeEvent).join('') : `: still here\nid: ${follower.cursor}\n\n`
    }
  } catch {
  } finally {
    context.addWaitMs(performance.now() - startMs)
  }
}

function serializeEvent(event: EventView): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
