import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Placeholder for a missing value. */
export function Faint({ children }: { children: ReactNode }) {
  return (
    <Text component="span" size="sm" c="dimmed">
      {children}
    </Text>
  )
}
