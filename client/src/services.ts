import type { RoomOptions } from './calls.ts'
import { assertConditions } from './conditions.ts'
import { etagOf } from './etag.ts'
import type { ActiveOptions } from './facilities.ts'
import { servicePath, servicesPath } from './path.ts'
import { isLateRefusal, Problem } from './problem.ts'
import { query } from './query.ts'
import { Resource } from './resource.ts'
import { withKey } from './rooms.ts'
import type * as schema from './schema.ts'

type UnkeyedOptions = Omit<RoomOptions, 'idempotencyKey'>
type Listed = Promise<schema.Subscription[]>

/** How often `sync` starts when others change the services meanwhile. */
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
   * Makes these the services of the room: a service whose code the room has already keeps its id and its place. Reads the
   * services, and replaces them only if nothing changed since then; otherwise it starts again. Name the `cycle`, so that a
   * late call never reaches the next guest.
   */
  async sync(area: string, wanted: schema.WantedSubscription[], options: Omit<UnkeyedOptions, 'ifMatch'> = {}): Listed {
    assertConditions(options)
    for (let attempt = 1; ; attempt++) {
      const present = await this.list(area, { signal: options.signal })
      try {
        return await this.replace(area, withIds(wanted, present), { ...options, ifMatch: etagOf(present) })
      } catch (error) {
        const isOutdated = error instanceof Problem && error.code === 'precondition_failed'
        if (!isOutdated || attempt === maxSyncs) throw error
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

/** Returns the services with ids: one without gets that of a service of the room with its code, each at most once. */
function withIds(wanted: schema.WantedSubscription[], present: schema.Subscription[]): schema.WantedSubscription[] {
  const named = new Set(wanted.map(({ id }) => id))
  const free = present.filter(({ id }) => !named.has(id))
  return wanted.map((service) => {
    const at = service.id ? -1 : free.findIndex(({ code }) => code === service.code)
    const [found] = at === -1 ? [] : free.splice(at, 1)
    return found === undefined ? service : { ...service, id: found.id }
  })
}
