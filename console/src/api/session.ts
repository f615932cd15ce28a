import { useSuspenseQuery } from '@tanstack/react-query'
import { type Answer, call } from './client.ts'
import type { Operator, Role, SignedIn } from './types.ts'

export const sessionQuery = {
  queryKey: ['me'],
  queryFn: () => call<SignedIn>('GET', '/me'),
  staleTime: 60_000,
}

export function useOperator(): Operator {
  return useSuspenseQuery<Answer<SignedIn>>(sessionQuery).data.data.operator
}

const ranks: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 }

/** What the page offers; the API decides. */
export function useMay(least: Role): boolean {
  return ranks[useOperator().role] >= ranks[least]
}
