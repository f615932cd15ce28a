import { useSuspenseQuery } from '@tanstack/react-query'
import { type ApiResponse, call, Problem } from './client.ts'
import type { Operator, Role, SignedIn } from './types.ts'

export const sessionQuery = {
  queryKey: ['me'],
  queryFn: whoAmI,
  staleTime: 60_000,
}

const lastKnown = 'atrium-signed-in'

/** Offline, uses the last known operator, so that the installer view opens; the API decides once it is reachable. */
async function whoAmI(): Promise<ApiResponse<SignedIn>> {
  try {
    const response = await call<SignedIn>('GET', '/me')
    localStorage.setItem(lastKnown, JSON.stringify(response))
    return response
  } catch (error) {
    const known = localStorage.getItem(lastKnown)
    if (error instanceof Problem && error.status === 0 && known !== null) return JSON.parse(known)
    if (error instanceof Problem && error.status === 401) localStorage.removeItem(lastKnown)
    throw error
  }
}

export function useOperator(): Operator {
  return useSuspenseQuery<ApiResponse<SignedIn>>(sessionQuery).data.data.operator
}

const ranks: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 }

/** Decides only what the page offers; the API enforces the role. */
export function useMay(least: Role): boolean {
  return ranks[useOperator().role] >= ranks[least]
}
