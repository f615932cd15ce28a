import type { Mood } from '../../parts/state-badge.tsx'

export interface LoggedRequest {
  seq: number
  at: string
  partner: string | null
  token: string | null
  method: string
  route: string | null
  facility: string | null
  area: string | null
  status: number
  code: string | null
  detail: string | null
  duration_ms: number
  request_id: string
  address: string | null
}

export function moodOfStatus(status: number): Mood {
  return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
}
