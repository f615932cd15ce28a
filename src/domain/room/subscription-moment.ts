import { createdAtMs } from '../identifier.ts'
import type { Subscription } from './stored-room.ts'

export type MomentKind = 'start' | 'nearEnd' | 'end'

/** A point in time at which an event about a subscription is due. */
export interface Moment {
  kind: MomentKind
  at: string
  service: Pick<Subscription, 'id' | 'code'>
}

/**
 * Returns the moments of a subscription: its start, its end, and `endingSeconds` before its end unless that is at or
 * before the start. Omits moments before the subscription was added.
 */
export function momentsOf(
  service: Pick<Subscription, 'id' | 'code' | 'start' | 'end'>,
  endingSeconds: number,
): Moment[] {
  const { start, end } = service
  const addedAt = new Date(createdAtMs(service.id)).toISOString()
  const nearEnd = end === null || endingSeconds === 0 ? null : earlier(end, endingSeconds)
  const isInWindow = nearEnd !== null && (start === null || nearEnd > start)
  const times: [MomentKind, string | null][] = [
    ['start', start],
    ['nearEnd', isInWindow ? nearEnd : null],
    ['end', end],
  ]
  return times.flatMap(([kind, at]) => (at === null || at <= addedAt ? [] : [{ kind, at, service }]))
}

function earlier(end: string, seconds: number): string {
  return new Date(Date.parse(end) - seconds * 1000).toISOString()
}

/** Returns the time of the first moment after `afterIso`; null if there is none. */
export function nextMoment(moments: Moment[], afterIso: string): string | null {
  return firstOf(moments.flatMap(({ at }) => (at > afterIso ? [at] : [])))
}

export function firstOf(times: (string | null)[]): string | null {
  return times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null)
}
