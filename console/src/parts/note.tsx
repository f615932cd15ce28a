import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

interface Props {
  mood: 'bad' | 'warn'
  title?: string
  children: ReactNode
}

/** Unobtrusive note for important information. */
export function Note({ mood, title, children }: Props) {
  const color = `var(--${mood})`
  return (
    <Alert
      variant="default"
      icon={<Icon name="warning" />}
      title={title}
      role={mood === 'bad' ? 'alert' : 'note'}
      mb="sm"
      styles={{ root: { borderColor: color }, icon: { color } }}
    >
      {children}
    </Alert>
  )
}
