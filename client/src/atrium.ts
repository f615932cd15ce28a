import { type CallOptions, Calls, type ChangeOptions, type RoomOptions } from './calls.ts'
import { type EventOptions, eventsOf } from './events.ts'
import { Pages } from './pages.ts'
import { areaPath, facilityPath, listPath, servicePath, servicesPath } from './path.ts'
import { Sandbox } from './sandbox.ts'
import type * as schema from './schema.ts'
import type { Settings } from './settings.ts'

export interface ListOptions extends CallOptions {
  /** Items per page, up to 1000; default: all items at once. */
  limit?: number
}

export interface SearchOptions extends ListOptions {
  /** Prefix of a word in the name or the short id. */
  q?: string
}

/** An entry as it is sent: with the short id, without the id of the facility. */
export type EntryDraft = schema.AutocompleteEntry

/** Client of the partner API; one instance per token. */
export class Atrium {
  readonly facilities: Facilities
  readonly areas: Areas
  readonly autocomplete: Autocomplete
  readonly rooms: Rooms
  readonly services: Services
  readonly sandbox: Sandbox
  readonly #calls: Calls

  constructor(settings: Settings) {
    this.#calls = new Calls(settings)
    this.facilities = new Facilities(this.#calls)
    this.areas = new Areas(this.#calls)
    this.autocomplete = new Autocomplete(this.#calls)
    this.rooms = new Rooms(this.#calls)
    this.services = new Services(this.#calls)
    this.sandbox = new Sandbox(this.#calls)
  }

  /** Returns the partner, its permissions and its rate limit. */
  me(options?: CallOptions): Promise<schema.Me> {
    return this.#calls.body({ method: 'GET', path: '/me', options, isIdempotent: true })
  }

  /** Streams events: `for await (const event of atrium.events())`. Store the id of the last one, to resume from it. */
  events(options: EventOptions = {}): AsyncGenerator<schema.Event, void, undefined> {
    return eventsOf(this.#calls, options)
  }
}

class Resource {
  protected readonly calls: Calls

  constructor(calls: Calls) {
    this.calls = calls
  }
}

class Facilities extends Resource {
  list({ status, ...rest }: ListOptions & { status?: string } = {}): Pages<schema.FacilitySummary> {
    return new Pages(this.calls, `/facilities/${query({ ...rest, status })}`, rest, (all) => all)
  }

  async get(facility: string, options?: CallOptions): Promise<schema.Facility> {
    return this.calls.body({ method: 'GET', path: facilityPath(facility), options, isIdempotent: true })
  }

  rename(facility: string, name: string, options?: ChangeOptions): Promise<{ name: string }> {
    return this.#set(facility, 'name', name, options)
  }

  /** Disconnects equipment that knows only the old network name. */
  setPublicSsid(facility: string, ssid: string, options?: ChangeOptions): Promise<{ ssid_public: string }> {
    return this.#set(facility, 'ssid_public', ssid, options)
  }

  setPortalUrl(facility: string, url: string, options?: ChangeOptions): Promise<{ subscription_url: string }> {
    return this.#set(facility, 'subscription_url', url, options)
  }

  async #set<T>(facility: string, property: string, value: string, options?: ChangeOptions): Promise<T> {
    const path = facilityPath(facility) + property
    return this.calls.body({ method: 'PATCH', path, body: { value }, options, isIdempotent: !options?.ifMatch })
  }
}

class Areas extends Resource {
  list(facility: string, options: SearchOptions = {}): Pages<schema.Area> {
    return new Pages(this.calls, `${facilityPath(facility)}areas${query(options)}`, options, (all) => all)
  }

  async get(area: string, options?: CallOptions): Promise<schema.Area> {
    return this.calls.body({ method: 'GET', path: areaPath(area), options, isIdempotent: true })
  }
}

class Autocomplete extends Resource {
  list(facility: string, options: SearchOptions = {}): Pages<schema.AutocompleteEntry> {
    return new Pages(this.calls, listPath(facility) + query(options), options, entriesIn)
  }

  /** Returns what a replacement would add, remove and rename, without changing anything. */
  async rehearse(facility: string, entries: EntryDraft[], options?: ChangeOptions): Promise<schema.ListChanges> {
    const call = { path: `${listPath(facility)}?dry_run=true`, body: { value: entries }, options, isIdempotent: true }
    return this.calls.body({ method: 'PATCH', ...call })
  }

  /** Replaces the whole list, in this order. */
  async replace(facility: string, entries: EntryDraft[], options?: ChangeOptions): Promise<schema.AutocompleteEntry[]> {
    const call = { path: listPath(facility), body: { value: entries }, options, isIdempotent: !options?.ifMatch }
    return entriesIn(await this.calls.body({ method: 'PATCH', ...call }))
  }
}

class Rooms extends Resource {
  /** Begins a new cycle and erases what belonged to the previous guest. */
  async open(area: string, options?: RoomOptions): Promise<{ area: schema.Area }> {
    return this.calls.body({ method: 'POST', path: areaPath(area), options: withKey(options), isIdempotent: true })
  }

  /** Ends the given cycle. Without a cycle, a delayed call could end that of the next guest, so it is not retried. */
  async close(area: string, options?: Omit<RoomOptions, 'idempotencyKey'>): Promise<{ area: schema.Area }> {
    const isIdempotent = Boolean(options?.cycle)
    return this.calls.body({ method: 'DELETE', path: areaPath(area), options, isIdempotent })
  }
}

class Services extends Resource {
  async list(area: string, options?: CallOptions): Promise<schema.Subscription[]> {
    const call = { path: servicesPath(area), options, isIdempotent: true }
    return (await this.calls.body<ServiceList>({ method: 'GET', ...call })).data_services
  }

  /** Appends services and returns all services of the room. */
  async add(area: string, drafts: schema.SubscriptionDraft[], options?: RoomOptions): Promise<schema.Subscription[]> {
    // The API expects the list as a JSON string within the JSON body.
    const body = { value: JSON.stringify(drafts) }
    const call = { path: servicesPath(area), body, options: withKey(options), isIdempotent: true }
    return (await this.calls.body<{ services: ServiceList }>({ method: 'POST', ...call })).services.data_services
  }

  /** Returns the remaining services. */
  async delete(
    area: string,
    service: string,
    options?: Omit<RoomOptions, 'idempotencyKey'>,
  ): Promise<schema.Subscription[]> {
    const call = { path: servicePath(area, service), options, isIdempotent: true }
    return (await this.calls.body<{ remaining_services: schema.Subscription[] }>({ method: 'DELETE', ...call }))
      .remaining_services
  }
}

interface ServiceList {
  data_services: schema.Subscription[]
}

function entriesIn(body: { areas_autocomplete_list: schema.AutocompleteEntry[] }): schema.AutocompleteEntry[] {
  return body.areas_autocomplete_list
}

/** Adds an idempotency key, so that the call is carried out once, however often it is sent. */
function withKey(options: RoomOptions = {}): RoomOptions {
  return { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
}

function query({ limit, q, status }: SearchOptions & { status?: string | undefined }): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries({ limit, q, status })) if (value !== undefined) given.set(name, `${value}`)
  return given.size === 0 ? '' : `?${given}`
}
