/** Start and end in the format of addresses and of the API; a missing one is unbounded. */
export interface Period {
  since?: string | undefined
  until?: string | undefined
}

const hourMs = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

/** Returns the most common time ranges, relative to now. */
export const periods = {
  any: (): Period => ({}),
  hour: (nowMs: number): Period => ({ since: iso(nowMs - hourMs) }),
  day: (nowMs: number): Period => ({ since: iso(nowMs - 24 * hourMs) }),
  night: lastNight,
  week: (nowMs: number): Period => ({ since: iso(nowMs - 168 * hourMs) }),
}

/** Last night, 20:00 to 8:00 local time; the current night if it is not over. */
function lastNight(nowMs: number): Period {
  const evening = new Date(nowMs)
  evening.setDate(evening.getDate() - (evening.getHours() < 20 ? 1 : 0))
  evening.setHours(20, 0, 0, 0)
  const morning = new Date(evening)
  morning.setDate(morning.getDate() + 1)
  morning.setHours(8)
  return { since: evening.toISOString(), until: morning.toISOString() }
}

/** Formats a time for a `datetime-local` input; empty for an invalid one. */
export function toLocal(at: string | undefined): string {
  const ms = Date.parse(at ?? '')
  if (Number.isNaN(ms)) return ''
  return iso(ms - new Date(ms).getTimezoneOffset() * 60_000).slice(0, 16)
}

export function fromLocal(text: string): string | undefined {
  return text === '' ? undefined : new Date(text).toISOString()
}
