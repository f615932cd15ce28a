import { type CallOptions, Calls, type ChangeOptions, type RoomOptions } from './calls.ts'
import { type EventOptions, eventsOf } from './events.ts'
import { Pages } from './pages.ts'
import { areaPath, facilityPath, listPath, servicePath, servicesPath } from './path.ts'
import { Sandbox } from './sandbox.ts'
import type * as schema from './schema.ts'
import type { Settings } from './settings.ts'

export interface ListOptions extends CallOptions {
  /** Items a page, up to 1000; everything at once where it is not given. */
  limit?: number
}

export interface SearchOptions extends ListOptions {
  /** The beginning of a word of the name or of the short id. */
  q?: string
}

/** An entry of the list as it is sent: with the short id, without the facility in front. */
export type EntryDraft = schema.AutocompleteEntry

/** The partner API, in your words. */
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

  /** Who is asking, what they may do, and how often. */
  me(options?: CallOptions): Promise<schema.Me> {
    return this.#calls.body({ method: 'GET', path: '/me', options, isRepeatable: true })
  }

  /** What happens, as it happens: `for await (const event of atrium.events())`. Keep the id of the last one to go on from. */
  events(options: EventOptions = {}): AsyncGenerator<schema.Event, void, undefined> {
    return eventsOf(this.#calls, options)
  }
}

class Noun {
  protected readonly calls: Calls

  constructor(calls: Calls) {
    this.calls = calls
  }
}

class Facilities extends Noun {
  list({ status, ...rest }: ListOptions & { status?: string } = {}): Pages<schema.FacilitySummary> {
    return new Pages(this.calls, `/facilities/${query({ ...rest, status })}`, rest, (all) => all)
  }

  async get(facility: string, options?: CallOptions): Promise<schema.Facility> {
    return this.calls.body({ method: 'GET', path: facilityPath(facility), options, isRepeatable: true })
  }

  rename(facility: string, name: string, options?: ChangeOptions): Promise<{ name: string }> {
    return this.#set(facility, 'name', name, options)
  }

  /** Equipment that knows only the old network name is cut off by this. */
  setPublicSsid(facility: string, ssid: string, options?: ChangeOptions): Promise<{ ssid_public: string }> {
    return this.#set(facility, 'ssid_public', ssid, options)
  }

  setPortalUrl(facility: string, url: string, options?: ChangeOptions): Promise<{ subscription_url: string }> {
    return this.#set(facility, 'subscription_url', url, options)
  }

  async #set<T>(facility: string, property: string, value: string, options?: ChangeOptions): Promise<T> {
    const path = facilityPath(facility) + property
    return this.calls.body({ method: 'PATCH', path, body: { value }, options, isRepeatable: !options?.ifMatch })
  }
}

class Areas extends Noun {
  list(facility: string, options: SearchOptions = {}): Pages<schema.Area> {
    return new Pages(this.calls, `${facilityPath(facility)}areas${query(options)}`, options, (all) => all)
  }

  async get(area: string, options?: CallOptions): Promise<schema.Area> {
    return this.calls.body({ method: 'GET', path: areaPath(area), options, isRepeatable: true })
  }
}

class Autocomplete extends Noun {
  list(facility: string, options: SearchOptions = {}): Pages<schema.AutocompleteEntry> {
    return new Pages(this.calls, listPath(facility) + query(options), options, entriesIn)
  }

  /** What replacing it would add, remove and rename. Nothing is changed. */
  async rehearse(facility: string, entries: EntryDraft[], options?: ChangeOptions): Promise<schema.ListChanges> {
    const call = { path: `${listPath(facility)}?dry_run=true`, body: { value: entries }, options, isRepeatable: true }
    return this.calls.body({ method: 'PATCH', ...call })
  }

  /** The whole list in one step, in this order. */
  async replace(facility: string, entries: EntryDraft[], options?: ChangeOptions): Promise<schema.AutocompleteEntry[]> {
    const call = { path: listPath(facility), body: { value: entries }, options, isRepeatable: !options?.ifMatch }
    return entriesIn(await this.calls.body({ method: 'PATCH', ...call }))
  }
}

class Rooms extends Noun {
  /** Begins a new cycle: what belonged to the last guest is gone. */
  async open(area: string, options?: RoomOptions): Promise<{ area: schema.Area }> {
    return this.calls.body({ method: 'POST', path: areaPath(area), options: withKey(options), isRepeatable: true })
  }

  /** Ends the cycle. Say which one: a call that is late would otherwise end the next guest's, so it is not repeated. */
  async close(area: string, options?: Omit<RoomOptions, 'idempotencyKey'>): Promise<{ area: schema.Area }> {
    const isRepeatable = Boolean(options?.cycle)
    return this.calls.body({ method: 'DELETE', path: areaPath(area), options, isRepeatable })
  }
}

class Services extends Noun {
  async list(area: string, options?: CallOptions): Promise<schema.Subscription[]> {
    const call = { path: servicesPath(area), options, isRepeatable: true }
    return (await this.calls.body<ServiceList>({ method: 'GET', ...call })).data_services
  }

  /** Puts them behind those that are there, and gives all of them. */
  async add(area: string, drafts: schema.SubscriptionDraft[], options?: RoomOptions): Promise<schema.Subscription[]> {
    // The service takes the list as text within the JSON.
    const body = { value: JSON.stringify(drafts) }
    const call = { path: servicesPath(area), body, options: withKey(options), isRepeatable: true }
    return (await this.calls.body<{ services: ServiceList }>({ method: 'POST', ...call })).services.data_services
  }

  /** Gives those that are left. */
  async delete(
    area: string,
    service: string,
    options?: Omit<RoomOptions, 'idempotencyKey'>,
  ): Promise<schema.Subscription[]> {
    const call = { path: servicePath(area, service), options, isRepeatable: true }
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

/** With a key of its own each call is carried out once, however often it is sent. */
function withKey(options: RoomOptions = {}): RoomOptions {
  return { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
}

function query({ limit, q, status }: SearchOptions & { status?: string | undefined }): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries({ limit, q, status })) if (value !== undefined) given.set(name, `${value}`)
  return given.size === 0 ? '' : `?${given}`
}
