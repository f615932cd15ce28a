import { isDeepStrictEqual } from 'node:util'
import { parseExactly } from '../exact-json.ts'
import { type Room, type Subscription, subscriptionJson } from './stored-room.ts'

/** The stay of a guest in a room of another installation. A field is null if that installation does not show it. */
export interface WantedStay {
  cycle: string | null
  openedAt: string | null
}

export interface WantedRoom {
  /** Null for a closed room; undefined when the other installation does not say whether its rooms are open. */
  stay: WantedStay | null | undefined
  subscriptions: Subscription[]
}

/** Returns whether the room must begin another cycle, or be closed, to match the stay. */
export function isOtherStay({ cycle, openedAt }: Pick<Room, 'cycle' | 'openedAt'>, stay: WantedRoom['stay']): boolean {
  if (stay === undefined) return false
  if (stay === null) return cycle !== null
  if (cycle === null) return true
  if (stay.cycle !== null) return stay.cycle !== cycle
  return stay.openedAt !== null && stay.openedAt !== openedAt
}

/** Ignores the order of fields. */
export function isSameSubscription(stored: string, wanted: Subscription): boolean {
  return isDeepStrictEqual(parseExactly(stored), parseExactly(subscriptionJson(wanted)))
}
