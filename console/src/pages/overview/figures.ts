export interface Figures {
  requests: { minute: string; partner: string | null; status: number | string; count: number }[]
  latency: { minute: string; mean_ms: number; slowest_ms: number }[]
  refused: { partner: string | null; code: string; count: number }[]
  open_rooms: { facility: string; name: string; open: number; areas: number }[]
  ending_soon?: { facility: string; area: string; code: string; end: string }[]
  attention: { kind: string; subject: string; detail: string; link?: string | null }[]
}

export type Kind = 'ok' | 'refusedShort' | 'failed'

export interface Minute {
  minute: string
  ok: number
  refusedShort: number
  failed: number
}

/** The last hour, minute by minute, those without requests too. */
export function minutesOf({ requests }: Figures, now = Date.now()): Minute[] {
  const first = Math.floor(now / 60_000) - 59
  const minutes = Array.from({ length: 60 }, (_, at) => {
    return { minute: new Date((first + at) * 60_000).toISOString(), ok: 0, refusedShort: 0, failed: 0 }
  })
  for (const { minute, status, count } of requests) {
    const found = minutes[Math.floor(Date.parse(minute) / 60_000) - first]
    if (found) found[kindOf(String(status))] += count
  }
  return minutes
}

function kindOf(status: string): Kind {
  return status.startsWith('5') ? 'failed' : status.startsWith('4') ? 'refusedShort' : 'ok'
}
