import type { RoomOptions } from './calls.ts'
import { assertConditions } from './conditions.ts'
import { etagOf, noteEtag } from './etag.ts'
import { type ActiveOptions, Areas } from './facilities.ts'
import { type MatchOptions, matchServices } from './match.ts'
import { servicePath, servicesPath } from './path.ts'
import { isLateRefusal, Problem } from './problem.ts'
import { query } from './query.ts'
import { Resource } from './resource.ts'
import { withKey } from './rooms.ts'
import type * as schema from './schema.ts'

type UnkeyedOptions = Omit<RoomOptions, 'idempotencyKey'>
type Listed = Promise<schema.Subscription[]>

export interface SyncOptions extends UnkeyedOptions, MatchOptions {}

/** How often `sync` starts when others change the room meanwhile. */
const maxSyncs = 5

export class Services extends Resource {
  async list(area: string, options: ActiveOptions = {}): Listed {
    const call = { path: servicesPath(area) + query({ ...options }), options, isIdempotent: true }
    return this.calls.body({ method: 'GET', ...call }, listIn)
  }

  /** Appends services and returns all services of the room. */
  async add(area: string, drafts: schema.SubscriptionDraft[], options?: RoomOptions): Listed {
    // The API expects the list as a JSON string within the JSON body.
    const body = { value: JSON.stringify(drafts) }
    const call = { path: servicesPath(area), body, options: withKey(options), isIdempotent: true }
    return this.calls.body({ method: 'POST', ...call }, servicesIn)
  }

  /** Changes the named fields of a service; null removes one. Returns all services of the room. */
  async change(area: string, service: string, patch: schema.SubscriptionPatch, options?: UnkeyedOptions): Listed {
    const call = { path: servicePath(area, service), body: patch, options, isIdempotent: true }
    return this.calls.body({ method: 'PATCH', ...call }, servicesIn)
  }

  /** Replaces all services of the room. Those with an id keep it; without an id they are new. */
  async replace(area: string, services: schema.WantedSubscription[], options?: RoomOptions): Listed {
    const body = { data_services: services }
    const call = { path: servicesPath(area), body, options: withKey(options), isIdempotent: true }
    return this.calls.body({ method: 'PUT', ...call }, servicesIn)
  }

  /**
   * Makes these the services of the room. A service whose code the room has already keeps its id and its place. What is
   * not wanted is removed, services of other partners too, unless `keep` returns true. Sends nothing if nothing differs.
   * If the room changes meanwhile, it starts again with a `cycle`, and fails without one, because a guest may have come.
   */
  async sync(area: string, wanted: schema.WantedSubscription[], options: SyncOptions = {}): Listed {
    assertConditions(options)
    const { keep, ...conditions } = options
    const restarts = options.cycle !== undefined && options.ifMatch === undefined
    for (let attempt = 1; ; attempt++) {
      // The ETag of the area also changes when a guest arrives; that of two empty lists is the same.
      const room = await new Areas(this.calls).get(area, { signal: options.signal })
      const { services, isChange } = matchServices(wanted, room.data_services, keep && { keep })
      const isExpected = options.cycle === undefined || options.cycle === room.cycle
      if (!isChange && isExpected) return noteEtag(room.data_services, etagOf(room))
      try {
        return await this.replace(area, services, { ifMatch: etagOf(room), ...conditions })
      } catch (error) {
        const isOutdated = error instanceof Problem && error.code === 'precondition_failed'
        if (!isOutdated || !restarts || attempt === maxSyncs) throw error
      }
    }
  }

  /** Returns the remaining services. Succeeds if a retry finds no service, because the attempt before has deleted it. */
  async delete(area: string, service: string, options?: UnkeyedOptions): Listed {
    const call = { path: servicePath(area, service), options, isIdempotent: true }
    return this.calls.body({ method: 'DELETE', ...call }, remainingIn).catch((problem: unknown) => {
      if (!isLateRefusal(problem, 'service_not_found')) throw problem
      return this.list(area, { signal: options?.signal })
    })
  }
}

interface ServiceList {
  data_services: schema.Subscription[]
}

function listIn(body: ServiceList): schema.Subscription[] {
  return body.data_services
}

function servicesIn(body: { services: ServiceList }): schema.Subscription[] {
  return body.services.data_services
}

function remainingIn(body: { remaining_services: schema.Subscription[] }): schema.Subscription[] {
  return body.remaining_services
}
