/** Moments as they stand in addresses and go to the API; without one the period is open on that side. */
export interface Period {
  since?: string | undefined
  until?: string | undefined
}

const hourMs = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

/** Periods that are asked for most often, as of now. */
export const periods = {
  any: (): Period => ({}),
  hour: (nowMs: number): Period => ({ since: iso(nowMs - hourMs) }),
  day: (nowMs: number): Period => ({ since: iso(nowMs - 24 * hourMs) }),
  night: lastNight,
  week: (nowMs: number): Period => ({ since: iso(nowMs - 168 * hourMs) }),
}

/** From 20:00 to 8:00 of the operator's clock; the night that is over, or the one that is going on. */
function lastNight(nowMs: number): Period {
  const evening = new Date(nowMs)
  evening.setDate(evening.getDate() - (evening.getHours() < 20 ? 1 : 0))
  evening.setHours(20, 0, 0, 0)
  const morning = new Date(evening)
  morning.setDate(morning.getDate() + 1)
  morning.setHours(8)
  return { since: evening.toISOString(), until: morning.toISOString() }
}

/** As a field for a local date and time wants it; empty for what is no moment. */
export function toLocal(at: string | undefined): string {
  const ms = Date.parse(at ?? '')
  if (Number.isNaN(ms)) return ''
  return iso(ms - new Date(ms).getTimezoneOffset() * 60_000).slice(0, 16)
}

export function fromLocal(text: string): string | undefined {
  return text === '' ? undefined : new Date(text).toISOString()
}
