import { type CallOptions, Calls } from './calls.ts'
import { type EventOfType, type EventOptions, type EventType, eventsOf } from './events.ts'
import { Areas, Autocomplete, Facilities, type ListOptions } from './facilities.ts'
import { Pages } from './pages.ts'
import { query } from './query.ts'
import { Rooms } from './rooms.ts'
import { Sandbox } from './sandbox.ts'
import type * as schema from './schema.ts'
import { Services } from './services.ts'
import type { Settings } from './settings.ts'
import { Webhooks } from './webhooks.ts'

export interface RequestSearch extends ListOptions {
  /** HTTP status of the response. */
  status?: number | undefined
  /** Code of the refusal. */
  code?: string | undefined
  /** Only requests at or after this date-time. */
  since?: string | undefined
  /** Only requests before this date-time. */
  until?: string | undefined
  requestId?: string | undefined
}

/** Client of the partner API; one instance per token. */
export class Atrium {
  readonly facilities: Facilities
  readonly areas: Areas
  readonly autocomplete: Autocomplete
  readonly rooms: Rooms
  readonly services: Services
  readonly webhooks: Webhooks
  readonly sandbox: Sandbox
  readonly #calls: Calls

  constructor(settings: Settings) {
    this.#calls = new Calls(settings)
    this.facilities = new Facilities(this.#calls)
    this.areas = new Areas(this.#calls)
    this.autocomplete = new Autocomplete(this.#calls)
    this.rooms = new Rooms(this.#calls)
    this.services = new Services(this.#calls)
    this.webhooks = new Webhooks(this.#calls)
    this.sandbox = new Sandbox(this.#calls)
  }

  /** Returns the partner, its permissions and its rate limit. */
  me(options?: CallOptions): Promise<schema.Me> {
    return this.#calls.body({ method: 'GET', path: '/me', options, isIdempotent: true })
  }

  /** Lists the partner's own requests of the last seven days, newest first. */
  requests(options: RequestSearch = {}): Pages<schema.OwnRequest> {
    return new Pages(this.#calls, `/requests${query({ ...options })}`, options, (all) => all)
  }

  /** Streams events: `for await (const event of atrium.events())`. Store the id of the last one, to resume from it. */
  events<Type extends EventType = EventType>(
    options: EventOptions<Type> = {},
  ): AsyncGenerator<EventOfType<Type>, void, undefined> {
    return eventsOf(this.#calls, options)
  }
}
