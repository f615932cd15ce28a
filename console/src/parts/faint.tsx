import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is there only to say that there is nothing. */
export function Faint({ children }: { children: ReactNode }) {
  return (
    <Text component="span" size="sm" c="dimmed">
      {children}
    </Text>
  )
}
