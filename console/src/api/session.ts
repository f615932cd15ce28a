import { useSuspenseQuery } from '@tanstack/react-query'
import { type Answer, call, Problem } from './client.ts'
import type { Operator, Role, SignedIn } from './types.ts'

export const sessionQuery = {
  queryKey: ['me'],
  queryFn: whoAmI,
  staleTime: 60_000,
}

const lastKnown = 'atrium-signed-in'

/** Without a network it is who it was: the installer view opens, and the API decides once it can be reached. */
async function whoAmI(): Promise<Answer<SignedIn>> {
  try {
    const answer = await call<SignedIn>('GET', '/me')
    localStorage.setItem(lastKnown, JSON.stringify(answer))
    return answer
  } catch (error) {
    const known = localStorage.getItem(lastKnown)
    if (error instanceof Problem && error.status === 0 && known !== null) return JSON.parse(known)
    if (error instanceof Problem && error.status === 401) localStorage.removeItem(lastKnown)
    throw error
  }
}

export function useOperator(): Operator {
  return useSuspenseQuery<Answer<SignedIn>>(sessionQuery).data.data.operator
}

const ranks: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 }

/** What the page offers; the API decides. */
export function useMay(least: Role): boolean {
  return ranks[useOperator().role] >= ranks[least]
}
