import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

export type Mood = 'good' | 'warn' | 'bad' | 'plain'

const colors: Record<Mood, string> = {
  good: 'var(--good)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
  plain: 'var(--soft)',
}

/** A word with a dot in a matching color; the color alone carries no information. */
export function StateBadge({ mood, children }: { mood: Mood; children: ReactNode }) {
  return (
    <Badge
      variant="default"
      size="md"
      leftSection={
        <svg width="8" height="8" aria-hidden="true">
          <circle cx="4" cy="4" r="4" fill={colors[mood]} />
        </svg>
      }
    >
      {children}
    </Badge>
  )
}

const moods: Record<string, Mood> = {
  active: 'good',
  online: 'good',
  suspended: 'warn',
  expiring: 'warn',
  closed: 'bad',
  offline: 'bad',
  expired: 'bad',
  revoked: 'plain',
}

export function moodOf(status: string): Mood {
  return moods[status] ?? 'plain'
}
