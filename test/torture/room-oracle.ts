// The responses that rooms must give, from the specification, sharing no code with the service: an addition appends,
// a deletion removes one, a replacement keeps what has an id, a move empties one room for another, opening and closing empty it, and every read shows the current state.
import { type Json, type JsonObject, readJson, sameText } from './plain-json.ts'

export interface RoomRequest {
  method: string
  /** With its query. */
  path: string
  body?: string | undefined
  /** Whether it has an Idempotency-Key: then a result of a bulk call can be that of an earlier call. */
  isKeyed?: boolean
}

export interface RoomAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

const ofArea = /^\/v1\/areas\/([^/?#;]+)(\/data_services)?(?:\/([^/?#;]+))?\/?(?:\?(.*))?$/
const listOfAreas = /^\/v1\/facilities\/[^/?#;]+\/areas\/?(?:\?(.*))?$/
const bulkCall = /^\/v1\/facilities\/[^/?#;]+\/areas\/bulk\/?(?:\?.*)?$/
const common = ['id', 'code', 'label', 'status', 'start', 'end']
const defaults: [string, Json][] = [
  ['label', null],
  ['status', 'active'],
  ['start', null],
  ['end', null],
]

export class RoomOracle {
  /** The subscriptions of each known room, oldest first. */
  readonly #rooms = new Map<string, JsonObject[]>()
  /** The ids of subscriptions that moved: events about their first room no longer show them. */
  readonly #moved = new Set<string>()

  idsIn(room: string): string[] {
    return (this.#rooms.get(room) ?? []).map(idOf)
  }

  /** Accepts the next response, because something else has changed the room. */
  forget(room: string): void {
    this.#rooms.delete(room)
  }

  /** Finds what is wrong with the response; undefined when it is right, or about something else. */
  judge(request: RoomRequest, answer: RoomAnswer): string | undefined {
    const { method, path: target, body } = request
    // A fragment is no part of the path.
    const path = target.replace(/#.*$/s, '')
    const isReadable = answer.status === 200 && method !== 'HEAD' && !answer.headers.has('content-encoding')
    const at = momentIn(path)
    if (at === 'unknown') return undefined
    const list = listOfAreas.exec(path)
    if (list !== null && method === 'GET') {
      return isReadable
        ? firstOf((readJson(answer.body) as JsonObject[]).map((area) => this.#view(area, at)))
        : undefined
    }
    if (bulkCall.test(path) && method === 'POST') return this.#bulk(request, answer, isReadable)
    const [, encoded, services, id] = ofArea.exec(path) ?? []
    const room = decoded(encoded)
    if (room === undefined) return undefined
    // Compressed responses to changes are not checked here.
    if (answer.status === 200 && method !== 'GET' && answer.headers.has('content-encoding')) this.forget(room)
    if (id !== undefined && services !== undefined && method === 'DELETE')
      return this.#deletion(room, decoded(id), answer)
    if (!isReadable && answer.status === 200 && id === 'move') this.#rooms.clear()
    if (isReadable && id === 'move' && method === 'POST') return this.#move(answer)
    if (isReadable && services && method === 'PATCH') {
      this.#rooms.set(room, listIn((readJson(answer.body) as JsonObject).get('services') as Json, 'data_services'))
    }
    if (!isReadable || id !== undefined || answer.headers.has('idempotency-replayed')) return undefined
    const result = readJson(answer.body) as JsonObject
    if (method === 'GET')
      return services ? this.#shows(room, listIn(result, 'data_services'), at) : this.#view(result, at)
    const sent = () => readJson(body ?? '') as JsonObject
    const shown = () => listIn(result.get('services') as Json, 'data_services')
    if (method === 'PUT' && services) return this.#replacement(room, listIn(sent(), 'data_services'), shown())
    if (method === 'POST' && services) {
      return this.#addition(room, readJson(sent().get('value') as string) as JsonObject[], shown())
    }
    this.#rooms.set(room, [])
    return this.#view(result.get('area') as JsonObject, undefined)
  }

  /** Finds what is wrong with events that happened after everything that is known here. */
  judgeEvents(events: JsonObject[]): string | undefined {
    const added = new Map<string, string>()
    for (const event of events.filter((one) => one.get('type') === 'services.added')) {
      const services = (event.get('data') as JsonObject).get('services')
      for (const one of (services ?? []) as JsonObject[]) added.set(idOf(one), sameText(one))
    }
    for (const id of this.#moved) added.delete(id)
    const held = [...this.#rooms.values()].flat().filter((one) => !this.#moved.has(idOf(one)))
    const wrong = held.find((one) => added.get(idOf(one)) !== sameText(one))
    if (wrong !== undefined) return `events show ${added.get(idOf(wrong))} where the room holds ${sameText(wrong)}`
    return added.size === held.length ? undefined : `events show ${added.size} subscriptions, rooms hold ${held.length}`
  }

  #deletion(room: string, id: string | undefined, { status, headers, body }: RoomAnswer): string | undefined {
    const before = this.#rooms.get(room)
    const isThere = before?.some((one) => idOf(one) === id)
    if (status === 404 && isThere && body.includes('"service_not_found"'))
      return `${id} is in ${room}, but was not found`
    if (status !== 200 || headers.has('content-encoding')) return undefined
    if (before !== undefined && !isThere) return `${id} is not in ${room}, but was deleted`
    if (before !== undefined)
      this.#rooms.set(
        room,
        before.filter((one) => idOf(one) !== id),
      )
    return this.#shows(room, listIn(readJson(body), 'remaining_services'), undefined)
  }

  #addition(room: string, sent: JsonObject[], shown: JsonObject[]): string | undefined {
    const added = shown.slice(shown.length - sent.length)
    const before = this.#rooms.get(room) ?? shown.slice(0, shown.length - sent.length)
    this.#rooms.set(room, [...before, ...added])
    const known = new Set(before.map(idOf))
    const wrong = added.find((one, index) => known.has(idOf(one)) || !isMadeOf(sent[index] as JsonObject, one))
    return wrong === undefined
      ? this.#shows(room, shown, undefined)
      : `${sameText(wrong)} was made of ${sameText(sent)}`
  }

  #replacement(room: string, sent: JsonObject[], shown: JsonObject[]): string | undefined {
    const before = this.#rooms.get(room)
    this.#rooms.set(room, shown)
    if (shown.length !== sent.length) return `${room} shows ${sameText(shown)} for ${sameText(sent)}`
    const named = sent.map((one) => one.get('id') ?? null).filter((id) => id !== null)
    const kept = shown.slice(0, named.length).map(idOf)
    const inOrder = before?.map(idOf).filter((id) => named.includes(id)) ?? kept
    return kept.join() === inOrder.join() ? undefined : `${room} keeps ${kept} where ${inOrder} is right`
  }

  #move({ headers, body }: RoomAnswer): string | undefined {
    if (headers.has('idempotency-replayed')) return undefined
    const result = readJson(body) as JsonObject
    const [from, to] = ['from', 'to'].map((side) => (result.get(side) as JsonObject).get('area') as JsonObject)
    const [first, second] = [from, to].map((area) => area?.get('id_external') as string) as [string, string]
    this.#moves(first, second, to as JsonObject)
    return this.#view(from as JsonObject, undefined) ?? this.#view(to as JsonObject, undefined)
  }

  #moves(from: string, to: string, shown: JsonObject): void {
    const held = this.#rooms.get(from) ?? listIn(shown, 'data_services')
    for (const one of held) this.#moved.add(idOf(one))
    this.#rooms.set(from, [])
    this.#rooms.set(to, held)
  }

  /** Each successful result shows the room after its operation, in the order of the call. */
  #bulk({ body, isKeyed }: RoomRequest, { status, headers, body: told }: RoomAnswer, isReadable: boolean) {
    if (status !== 200 || headers.has('idempotency-replayed')) return undefined
    const { operations } = Object.fromEntries(readJson(body ?? '') as JsonObject) as { operations: JsonObject[] }
    if (!isReadable || isKeyed) {
      // Operations of another type were refused one by one.
      const objects = operations.filter((one) => one instanceof Map)
      for (const one of objects) for (const name of ['area', 'to']) this.forget((one.get(name) ?? '') as string)
      return undefined
    }
    const results = listIn(readJson(told), 'results')
    if (results.length !== operations.length) return `${results.length} results of ${operations.length} operations`
    return firstOf(operations.map((one, index) => this.#result(one, results[index] as JsonObject)))
  }

  #result(operation: JsonObject, result: JsonObject): string | undefined {
    if (result.get('status') !== 200) return undefined
    const shown = result.get('area') as JsonObject
    const [op, area, to] = ['op', 'area', 'to'].map((name) => operation.get(name) as string) as [string, string, string]
    const services = () => operation.get('services') as JsonObject[]
    if (op === 'add_services') return this.#addition(area, services(), listIn(shown, 'data_services'))
    if (op === 'replace_services') return this.#replacement(area, services(), listIn(shown, 'data_services'))
    if (op === 'move') this.#moves(area, to, shown)
    else this.#rooms.set(area, [])
    return this.#view(shown, undefined)
  }

  #view(area: JsonObject, at: number | undefined): string | undefined {
    return this.#shows(area.get('id_external') as string, listIn(area, 'data_services'), at)
  }

  #shows(room: string, shown: JsonObject[], at: number | undefined): string | undefined {
    const held = this.#rooms.get(room)
    if (held === undefined && at === undefined) this.#rooms.set(room, shown)
    if (held === undefined) return undefined
    const expected = at === undefined ? held : held.filter((one) => isActive(one, at))
    if (sameText(expected) === sameText(shown)) return undefined
    return `${room} shows ${sameText(shown)} where ${sameText(expected)} is right`
  }
}

function idOf(subscription: JsonObject): string {
  return subscription.get('id') as string
}

function listIn(result: Json, name: string): JsonObject[] {
  return (result as JsonObject).get(name) as JsonObject[]
}

function firstOf(found: (string | undefined)[]): string | undefined {
  return found.find((one) => one !== undefined)
}

/** Only whether there is a time; other tests check its form. */
function isMadeOf(sent: JsonObject, made: JsonObject): boolean {
  const expected: JsonObject = new Map([...defaults, ...sent])
  if (expected.get('status') === null) expected.set('status', 'active')
  const isTime = (value: Json | undefined) => typeof value === 'string' && /^\d{4}-.*T.*Z$/.test(value)
  if (
    ['start', 'end'].some((edge) => (expected.get(edge) === null ? made.get(edge) !== null : !isTime(made.get(edge))))
  )
    return false
  for (const name of ['id', 'start', 'end']) expected.set(name, made.get(name) ?? null)
  return sameText(expected) === sameText(made) && common.every((name) => made.has(name))
}

function isActive(subscription: JsonObject, at: number): boolean {
  const [start, end] = ['start', 'end'].map((edge) => subscription.get(edge) as string | null)
  return (start == null || Date.parse(start) <= at) && (end == null || at < Date.parse(end))
}

/** The requested time, in a form that needs no time zone. */
function momentIn(path: string): number | undefined | 'unknown' {
  const asked = decoded(/[?&]active_at=([^&]*)/.exec(path)?.[1])
  if (asked === undefined) return undefined
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(asked) ? Date.parse(asked) : 'unknown'
}

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
