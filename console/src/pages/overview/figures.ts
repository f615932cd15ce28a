export interface Figures {
  requests: { minute: string; partner: string | null; status: number; count: number }[]
  latency: Latency[]
  refused: { partner: string | null; code: string | null; count: number }[]
  open_rooms: { facility: string; name: string; open: number; areas: number }[]
  ending_soon?: { facility: string; area: string; code: string; end: string }[]
  attention: Notice[]
}

export interface Latency {
  minute: string
  mean_ms: number
  slowest_ms: number
}

export interface Notice {
  kind: 'token_expiring' | 'token_unused' | 'many_refused' | 'list_drift'
  subject: string
  token: string | null
  count: number | null
  at: string | null
}

export type Kind = 'ok' | 'refused' | 'failed'
export const kinds: readonly Kind[] = ['ok', 'refused', 'failed']

export interface Minute extends Record<Kind, number> {
  minute: string
}

/** The last hour, minute by minute, those without requests too. */
export function minutesOf({ requests }: Pick<Figures, 'requests'>, now = Date.now()): Minute[] {
  const first = Math.floor(now / 60_000) - 59
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

/** Each with all its requests of the hour, the busiest first. */
export function partnersOf({ requests }: Pick<Figures, 'requests'>) {
  return [...Map.groupBy(requests, ({ partner }) => partner)]
    .map(([partner, rows]) => {
      const sum = (kind?: Kind) =>
        rows.reduce((all, { status, count }) => all + (kind === undefined || kindOf(status) === kind ? count : 0), 0)
      return { partner, total: sum(), ok: sum('ok'), refused: sum('refused'), failed: sum('failed') }
    })
    .sort((a, b) => b.total - a.total)
}
