import type { CallOptions, ChangeOptions } from './calls.ts'
import { Pages } from './pages.ts'
import { areaPath, facilityPath, listPath } from './path.ts'
import { query } from './query.ts'
import { Resource } from './resource.ts'
import type * as schema from './schema.ts'

export interface ListOptions extends CallOptions {
  /** Items per page, up to 1000; default: all items at once. */
  limit?: number | undefined
}

export interface SearchOptions extends ListOptions {
  /** Prefix of a word in the name, the short id or the full id. */
  q?: string | undefined
}

export interface FacilitySearch extends SearchOptions {
  status?: string | undefined
  type?: string | undefined
}

export interface ActiveOptions extends CallOptions {
  /** Only services that are valid at this date-time, or `now`. */
  activeAt?: string | undefined
}

export interface AreaSearch extends SearchOptions, ActiveOptions {
  /** Only rooms that are open, or closed. */
  open?: boolean | undefined
  /** Only rooms with a service of this code. */
  service?: string | undefined
  /** Only rooms that changed at or after this date-time. */
  changedSince?: string | undefined
}

/** An entry as it is sent: with the short id, without the id of the facility. */
export type EntryDraft = schema.AutocompleteEntry

export class Facilities extends Resource {
  list(options: FacilitySearch = {}): Pages<schema.FacilitySummary> {
    return new Pages(this.calls, `/facilities/${query({ ...options })}`, options, (all) => all)
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
    return this.calls.body({ method: 'PATCH', path, body: { value }, options, isIdempotent: true })
  }
}

export class Areas extends Resource {
  list(facility: string, options: AreaSearch = {}): Pages<schema.Area> {
    return new Pages(this.calls, `${facilityPath(facility)}areas${query({ ...options })}`, options, (all) => all)
  }

  async get(area: string, options: ActiveOptions = {}): Promise<schema.Area> {
    const path = areaPath(area) + query({ ...options })
    return this.calls.body({ method: 'GET', path, options, isIdempotent: true })
  }
}

export class Autocomplete extends Resource {
  list(facility: string, options: SearchOptions = {}): Pages<schema.AutocompleteEntry> {
    return new Pages(this.calls, listPath(facility) + query({ ...options }), options, entriesIn)
  }

  /** Returns what a replacement would add, remove and rename, without changing anything. */
  async rehearse(facility: string, entries: EntryDraft[], options?: ChangeOptions): Promise<schema.ListChanges> {
    const call = { path: `${listPath(facility)}?dry_run=true`, body: { value: entries }, options, isIdempotent: true }
    return this.calls.body({ method: 'PATCH', ...call })
  }

  /** Replaces the whole list, in this order. */
  async replace(facility: string, entries: EntryDraft[], options?: ChangeOptions): Promise<schema.AutocompleteEntry[]> {
    const call = { path: listPath(facility), body: { value: entries }, options, isIdempotent: true }
    return this.calls.body({ method: 'PATCH', ...call }, entriesIn)
  }
}

function entriesIn(body: { areas_autocomplete_list: schema.AutocompleteEntry[] }): schema.AutocompleteEntry[] {
  return body.areas_autocomplete_list
}
