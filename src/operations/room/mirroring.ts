import { newId } from '../../domain/identifier.ts'
import { parseSubscription, type Room, type Subscription, subscriptionJson } from '../../domain/room/stored-room.ts'
import { changedKeys, type SubscriptionChange } from '../../domain/room/subscription-change.ts'
import { isOtherStay, isSameSubscription, type WantedRoom, type WantedStay } from '../../domain/room/wanted-room.ts'
import { cycleAudit } from './cycle.ts'
import type { Apply, RoomAudit } from './outcome.ts'
import { assertFits, changedService, idOf, replacement, type ServiceRules, touched } from './services.ts'

/** Makes a room match the same room of another installation, even in the ids of its services. */
export function mirroring(wanted: WantedRoom, { limits, endingSeconds }: ServiceRules): Apply {
  return (room, present, clock) => {
    const isOther = isOtherStay(room, wanted.stay)
    const after = isOther ? inStay(room, wanted.stay ?? null, clock.now) : room
    const before = isOther ? [] : present
    const { removed, changed, added } = compareSubscriptions(before, wanted.subscriptions)
    const audit: RoomAudit[] = isOther ? [cycleAudit(room, after.cycle, present.length)] : []
    if (removed.length + changed.length + added.length > 0) {
      const parts = { removed: removed.map(idOf), changed: changed.map(changedService), added: added.map(idOf) }
      audit.push(...replacement(after, parts))
    }
    if (audit.length === 0) return { room, subscriptions: present, audit }
    const subscriptions = wanted.subscriptions.map(subscriptionJson)
    assertFits(subscriptions, before.length, limits, '')
    const affected = [...changed.map(({ subscription }) => subscription), ...added]
    const outcome = { room: touched(after, affected, clock, endingSeconds), subscriptions, audit }
    return isOther ? { ...outcome, isReset: true } : outcome
  }
}

function inStay(room: Room, stay: WantedStay | null, now: string): Room {
  const { cycle, openedAt } = stay ?? {}
  const begun = stay === null ? { cycle: null, openedAt: null } : { cycle: cycle ?? newId(), openedAt: openedAt ?? now }
  return { ...room, ...begun, dateUpdated: now, nextDueAt: null }
}

function compareSubscriptions(present: string[], wanted: Subscription[]) {
  const stored = new Map(present.map((json) => [parseSubscription(json).id, json]))
  const removed = new Map([...stored].map(([id, json]) => [id, parseSubscription(json)]))
  const changed: SubscriptionChange[] = []
  const added: Subscription[] = []
  for (const subscription of wanted) {
    const json = stored.get(subscription.id)
    const before = json === undefined ? undefined : parseSubscription(json)
    // The code of a service cannot change, so one with another code is a new service.
    if (json === undefined || before?.code !== subscription.code) added.push(subscription)
    else {
      removed.delete(subscription.id)
      if (isSameSubscription(json, subscription)) continue
      changed.push({ subscription, keys: changedKeys(before, subscription), forms: [] })
    }
  }
  return { removed: [...removed.values()], changed, added }
}
