export interface Figures {
  requests: { minute: string; partner: string | null; status: number; count: number }[]
  latency: Latency[]
  refused: { partner: string | null; code: string | null; count: number }[]
  refused_total: number
  /** The facilities with the most open rooms; `rooms` counts all. */
  open_rooms: { facility: string; name: string; open: number; areas: number }[]
  rooms: { facilities: number; facilities_open: number; areas: number; open: number }
  ending_soon?: { facility: string; area: string; code: string; end: string }[]
  ending_soon_count?: number | null
  /** Limited per kind; `attention_total` counts all. */
  attention: Notice[]
  attention_total: number
  lists: { checked: number; all: number }
}

export interface Latency {
  minute: string
  mean_ms: number
  slowest_ms: number
}

export interface Notice {
  kind:
    | 'webhook_disabled'
    | 'webhook_failing'
    | 'token_expiring'
    | 'token_overdue'
    | 'many_refused'
    | 'list_drift'
    | 'token_unused'
  subject: string
  /** The name of the partner or facility; null if it has been removed. */
  name: string | null
  token: string | null
  webhook: string | null
  count: number | null
  at: string | null
}

export type Kind = 'ok' | 'refused' | 'failed'
export const kinds: readonly Kind[] = ['ok', 'refused', 'failed']

export interface Minute extends Record<Kind, number> {
  minute: string
}

/** Returns the last hour minute by minute, including minutes without requests. The server's clock sets the hour. */
export function minutesOf({ requests }: Pick<Figures, 'requests'>, now = Date.now()): Minute[] {
  const newest = Math.max(0, ...requests.map(({ minute }) => Date.parse(minute)))
  const oldest = Math.min(Number.POSITIVE_INFINITY, ...requests.map(({ minute }) => Date.parse(minute)))
  const last = Math.max(newest, Math.min(now, oldest + 59 * 60_000))
  const first = Math.floor(last / 60_000) - 59
  const minutes = Array.from({ length: 60 }, (_, at) => {
    return { minute: new Date((first + at) * 60_000).toISOString(), ok: 0, refused: 0, failed: 0 }
  })
  for (const { minute, status, count } of requests) {
    const found = minutes[Math.floor(Date.parse(minute) / 60_000) - first]
    if (found) found[kindOf(status)] += count
  }
  return minutes
}

export function kindOf(status: number): Kind {
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok'
}

/** Returns partners with their requests in the hour, the busiest first, and the sum of all others last. */
export function partnersOf({ requests }: Pick<Figures, 'requests'>) {
  return [...Map.groupBy(requests, ({ partner }) => partner)]
    .map(([partner, rows]) => {
      const sum = (kind?: Kind) =>
        rows.reduce((all, { status, count }) => all + (kind === undefined || kindOf(status) === kind ? count : 0), 0)
      return { partner, total: sum(), ok: sum('ok'), refused: sum('refused'), failed: sum('failed') }
    })
    .sort((a, b) => Number(a.partner === '*') - Number(b.partner === '*') || b.total - a.total)
}

/** Returns the mean latency over the hour, each minute weighted by its requests. */
export function meanOf({ requests, latency }: Pick<Figures, 'requests' | 'latency'>): number {
  const counts = Map.groupBy(requests, ({ minute }) => minute)
  let [total, count] = [0, 0]
  for (const { minute, mean_ms: ms } of latency) {
    const inMinute = (counts.get(minute) ?? []).reduce((sum, one) => sum + one.count, 0)
    total += ms * inMinute
    count += inMinute
  }
  return count === 0 ? 0 : total / count
}
