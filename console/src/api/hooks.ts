import {
  type InfiniteData,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type ApiResponse, call, type Method, Problem, type Request } from './client.ts'

/** Interval at which a page asks again while the server cannot be reached or is not ready. */
const reconnectMs = 2000

export const queryClient = new QueryClient({
  defaultOptions: {
    // Reports network errors at once instead of pausing until the browser believes to be online.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // A refused request would be refused again.
      retry: (count, error) => isAway(error) && count < 2,
    },
  },
})

const isAway = (error: unknown) => error instanceof Problem && (error.status === 0 || error.status === 503)

/** Returns the interval of a query: pages recover by themselves once the server is back. */
const intervalOf = (refetchMs: number | undefined) => (query: { state: { error: unknown } }) =>
  isAway(query.state.error) ? reconnectMs : (refetchMs ?? false)

/** Splits a path into a query key, so that invalidating a path also invalidates everything below it. */
function keyOf(path: string): QueryKey {
  const [plain = '', query = ''] = path.split('?')
  return [...plain.split('/').filter((part) => part !== ''), query]
}

interface ReadOptions {
  enabled?: boolean
  refetchMs?: number
  keep?: boolean
}

export function useRead<T>(path: string, options: ReadOptions = {}) {
  return useQuery<ApiResponse<T>, Problem>({
    queryKey: keyOf(path),
    queryFn: ({ signal }) => call<T>('GET', path, { signal }),
    enabled: options.enabled ?? true,
    refetchInterval: intervalOf(options.refetchMs),
    ...(options.keep && { placeholderData: keepPreviousData }),
  })
}

/** A stable function, so that React Query flattens the pages only when data arrives, not on every render. */
function rowsOf<T>({ pages }: InfiniteData<ApiResponse<T[]>, string>): { rows: T[]; total: number | undefined } {
  return { rows: pages.flatMap((page) => page.data), total: pages[0]?.total }
}

export function useList<T>(path: string, options: ReadOptions = {}) {
  const query = useInfiniteQuery<ApiResponse<T[]>, Problem, { rows: T[]; total: number | undefined }, QueryKey, string>(
    {
      queryKey: [...keyOf(path), 'list'],
      queryFn: ({ pageParam, signal }) => call<T[]>('GET', pageParam, { signal }),
      initialPageParam: path,
      getNextPageParam: (last) => last.next && withLargerPage(last.next),
      select: rowsOf,
      enabled: options.enabled ?? true,
      refetchInterval: intervalOf(options.refetchMs),
      placeholderData: keepPreviousData,
      // Structural sharing would compare all rows with the previous ones, at a cost that grows with the list.
      structuralSharing: false,
    },
  )
  return {
    rows: query.data?.rows,
    total: query.data?.total,
    error: query.error,
    hasMore: query.hasNextPage,
    loadMore: () => {
      if (!query.isFetchingNextPage) query.fetchNextPage().catch(() => {})
    },
    refetch: () => query.refetch(),
  }
}

const largerPage = '1000'

/** The first page is small, to appear quickly; the following ones are large, to reach the end of a long list quickly. */
function withLargerPage(next: string): string {
  const [path = '', query = ''] = next.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('limit', largerPage)
  return `${path}?${parameters}`
}

export interface Change extends Request {
  method: Method
  path: string
}

/** A mutation that invalidates the queries it may have affected. */
export function useChange<T>(stale: string[], onDone?: (response: ApiResponse<T>) => void) {
  const invalidate = useInvalidate(stale)
  return useMutation<ApiResponse<T>, Problem, Change>({
    mutationFn: ({ method, path, ...request }) => call<T>(method, path, request),
    onSuccess: async (response) => {
      await invalidate()
      onDone?.(response)
    },
    // What is shown is outdated: it is read again, so that the next attempt is about the present guest.
    onError: ({ code }) => (isOutdated(code) ? invalidate() : undefined),
  })
}

const isOutdated = (code: string) => code === 'cycle_ended' || code === 'room_occupied'

export type ChangeOf = ReturnType<typeof useChange>

export function useInvalidate(stale: string[]): () => Promise<unknown> {
  const client = useQueryClient()
  const keys = stale.map((path) => keyOf(path).slice(0, -1))
  return () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}
