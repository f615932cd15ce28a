import { newId } from '../../domain/identifier.ts'
import { Refusal, refusalAt } from '../../domain/refusal.ts'
import { parseSubscription, type Room, type Subscription, subscriptionJson } from '../../domain/room/stored-room.ts'
import type { RoomLimits, SubscriptionDraft } from '../../domain/room/subscription.ts'
import {
  assertKnown,
  type ChangeRules,
  loggedKeys,
  patchSubscription,
  replaceSubscription,
  type SubscriptionChange,
  type WantedSubscription,
} from '../../domain/room/subscription-change.ts'
import { firstOf, momentsOf } from '../../domain/room/subscription-moment.ts'
import { addMs } from '../../domain/time.ts'
import type { AssertContract, CheckedItem } from './contract-check.ts'
import type { Apply, RoomAudit, RoomClock } from './outcome.ts'

export interface ServiceRules {
  limits: RoomLimits
  /** How long before its end a service gets its `service.ending` event. */
  endingSeconds: number
}

interface ServiceId {
  id: string
  code: string
}

interface ChangedService extends ServiceId {
  /** The names of the changed fields, as `loggedKeys` writes them into the audit log. */
  keys: string[]
}

/** `pointer` is where the subscriptions are in the request body. */
export function adding(
  drafts: SubscriptionDraft[],
  { limits, endingSeconds }: ServiceRules,
  pointer = '/value',
): Apply {
  return (room, present, clock) => {
    if (drafts.length === 0) return { room, subscriptions: present, audit: [] }
    const added = newSubscriptions(drafts, clock)
    const subscriptions = [...present, ...added.map(subscriptionJson)]
    assertFits(subscriptions, present.length, limits, pointer)
    const audit: RoomAudit[] = [{ action: 'services.add', detail: { cycle: room.cycle, added: added.map(idOf) } }]
    return { room: touched(room, added, clock, endingSeconds), subscriptions, audit }
  }
}

export function removing(id: string): Apply {
  return (room, present, { now }) => {
    const index = indexOf(id, present)
    const found = parseSubscription(present[index] as string)
    const audit: RoomAudit[] = [{ action: 'services.delete', detail: { cycle: room.cycle, deleted: idOf(found) } }]
    return { room: { ...room, dateUpdated: now }, subscriptions: present.toSpliced(index, 1), audit }
  }
}

export interface ServicePatch {
  id: string
  patch: Record<string, unknown>
  rules: ChangeRules
}

/** The subscription keeps its id and its position in the list. */
export function patching(
  { id, patch, rules }: ServicePatch,
  { limits, endingSeconds }: ServiceRules,
  assertContract: AssertContract,
): Apply {
  return (room, present, clock) => {
    const index = indexOf(id, present)
    const change = patchSubscription(parseSubscription(present[index] as string), patch, rules)
    if (change.keys.length === 0) return { room, subscriptions: present, audit: [] }
    assertContract([{ pointer: '', forms: change.forms }])
    const subscriptions = present.with(index, subscriptionJson(change.subscription))
    assertFits(subscriptions, present.length, limits, '')
    const detail = { cycle: room.cycle, changed: [changedService(change)] }
    const changedRoom = touched(room, [change.subscription], clock, endingSeconds)
    return { room: changedRoom, subscriptions, audit: [{ action: 'services.change', detail }] }
  }
}

/** The room gets exactly the subscriptions of the request. `pointer` is where these are in its body. */
export function replacing(
  wanted: WantedSubscription[],
  pointer: string,
  { limits, endingSeconds }: ServiceRules,
  assertContract: AssertContract,
): Apply {
  return (room, present, clock) => {
    const { changes, checked, fresh } = compare(wanted, present, pointer)
    const kept = new Set(wanted.map(({ id }) => id))
    const all = present.map((json) => ({ json, one: parseSubscription(json) }))
    const removed = all.flatMap(({ one }) => (kept.has(one.id) ? [] : [idOf(one)]))
    if (changes.size + fresh.length + removed.length === 0) return { room, subscriptions: present, audit: [] }
    assertContract(checked)
    const added = newSubscriptions(fresh, clock)
    const left = all.filter(({ one }) => kept.has(one.id))
    const subscriptions = left.map(({ json, one }) => {
      const change = changes.get(one.id)
      return change === undefined ? json : subscriptionJson(change.subscription)
    })
    subscriptions.push(...added.map(subscriptionJson))
    assertFits(subscriptions, left.length, limits, pointer)
    const changed = [...changes.values()]
    const audit = replacement(room, { removed, changed: changed.map(changedService), added: added.map(idOf) })
    const affected = [...changed.map(({ subscription }) => subscription), ...added]
    return { room: touched(room, affected, clock, endingSeconds), subscriptions, audit }
  }
}

function compare(wanted: WantedSubscription[], present: string[], pointer: string) {
  const byId = assertKnown(wanted, present, pointer)
  const changes = new Map<string, SubscriptionChange>()
  const checked: CheckedItem[] = []
  const fresh: SubscriptionDraft[] = []
  for (const [index, one] of wanted.entries()) {
    const at = `${pointer}/${index}`
    if (one.id === null) {
      fresh.push(one.draft)
      checked.push({ pointer: at, forms: [one.sent] })
      continue
    }
    const change = replaceSubscription(parseSubscription(byId.get(one.id) as string), one, at)
    if (change.keys.length === 0) continue
    changes.set(one.id, change)
    checked.push({ pointer: at, forms: change.forms })
  }
  return { changes, checked, fresh }
}

interface Replacement {
  removed: ServiceId[]
  changed: ChangedService[]
  added: ServiceId[]
}

/** How many removed or changed services an entry lists. Each becomes an event, of which an entry can have 63. */
const maxPerEntry = 60

export function replacement({ cycle }: Room, { removed, changed, added }: Replacement): RoomAudit[] {
  const single = Math.max(1, Math.ceil((removed.length + changed.length) / maxPerEntry))
  return Array.from({ length: single }, (_, index): RoomAudit => {
    const [from, to] = [index * maxPerEntry, (index + 1) * maxPerEntry]
    const detail = {
      cycle,
      removed: removed.slice(from, to),
      changed: changed.slice(Math.max(0, from - removed.length), Math.max(0, to - removed.length)),
      added: index === single - 1 ? added : [],
    }
    return { action: 'services.replace', detail }
  })
}

function indexOf(id: string, present: string[]): number {
  const index = present.findIndex((subscription) => parseSubscription(subscription).id === id)
  if (index !== -1) return index
  throw new Refusal('service_not_found', "This subscription is not in the room's current cycle.")
}

function newSubscriptions(drafts: SubscriptionDraft[], { now }: RoomClock): Subscription[] {
  const madeMs = Date.parse(now)
  return drafts.map((draft) => ({ ...draft, id: newId(madeMs) }))
}

export function idOf({ id, code }: ServiceId): ServiceId {
  return { id, code }
}

export function changedService({ subscription: { id, code }, keys }: SubscriptionChange): ChangedService {
  return { id, code, keys: loggedKeys(id, keys) }
}

/** Sets `dateUpdated` and, if one of these subscriptions has an event before `nextDueAt`, also `nextDueAt`. */
export function touched(
  room: Room,
  subscriptions: Subscription[],
  { now, aheadMs }: RoomClock,
  endingSeconds: number,
): Room {
  const moments = subscriptions.flatMap((one) => momentsOf(one, endingSeconds)).filter(({ at }) => at > now)
  const nextDueAt = firstOf([room.nextDueAt, ...moments.map(({ at }) => addMs(at, -aheadMs))])
  return { ...room, dateUpdated: now, nextDueAt }
}

export function assertFits(
  all: string[],
  already: number,
  { roomSubscriptions, roomBytes }: RoomLimits,
  pointer: string,
) {
  const refuse = (detail: string) => refusalAt('limit_exceeded', pointer, detail)
  if (all.length > roomSubscriptions) {
    throw refuse(`A room can hold ${roomSubscriptions} subscriptions; this one has ${already} already.`)
  }
  const bytes = all.reduce((sum, json) => sum + Buffer.byteLength(json), 0)
  if (bytes > roomBytes) {
    throw refuse(`A room can hold ${roomBytes} bytes of subscriptions; with these it would be ${bytes}.`)
  }
}
