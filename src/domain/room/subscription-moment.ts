import { createdAtMs } from '../identifier.ts'
import type { Subscription } from './stored-room.ts'

export type MomentKind = 'start' | 'nearEnd' | 'end'

/** A point in time at which something is to be told of a subscription. */
export interface Moment {
  kind: MomentKind
  at: string
  service: Pick<Subscription, 'id' | 'code'>
}

/**
 * Its start, its end, and some time before that. What had passed when it was added is none: that it was added says it
 * all. One that is shorter than that time begins and ends, and nothing between.
 */
export function momentsOf(
  service: Pick<Subscription, 'id' | 'code' | 'start' | 'end'>,
  endingSeconds: number,
): Moment[] {
  const { start, end } = service
  const addedAt = new Date(createdAtMs(service.id)).toISOString()
  const nearEnd = end === null || endingSeconds === 0 ? null : earlier(end, endingSeconds)
  const isTold = nearEnd !== null && (start === null || nearEnd > start)
  const times: [MomentKind, string | null][] = [
    ['start', start],
    ['nearEnd', isTold ? nearEnd : null],
    ['end', end],
  ]
  return times.flatMap(([kind, at]) => (at === null || at <= addedAt ? [] : [{ kind, at, service }]))
}

function earlier(end: string, seconds: number): string {
  return new Date(Date.parse(end) - seconds * 1000).toISOString()
}

/** The first after this time. */
export function nextMoment(moments: Moment[], afterIso: string): string | null {
  return firstOf(moments.flatMap(({ at }) => (at > afterIso ? [at] : [])))
}

export function firstOf(times: (string | null)[]): string | null {
  return times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null)
}
