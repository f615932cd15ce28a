import { useNetwork } from '@mantine/hooks'
import { useRead } from '../../api/hooks.ts'

const askAgainMs = 15_000

/**
 * Whether the server cannot be reached. Also asks the server, because a browser counts as online with any network, even
 * one that leads nowhere.
 */
export function useIsOffline(): boolean {
  const { online } = useNetwork()
  const { error } = useRead('/facilities?limit=1', { refetchMs: askAgainMs })
  return !online || error?.status === 0
}
