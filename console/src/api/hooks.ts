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
import { type Answer, call, type Method, Problem, type Request } from './client.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    // What cannot be reached is said at once; it does not wait until the browser believes that there is a network.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // What was refused would be refused again; a network that is away comes back.
      retry: (count, error) => error instanceof Problem && (error.status === 0 || error.status === 503) && count < 2,
    },
  },
})

/** Keys are paths, cut at their slashes, so that a change makes everything below its path stale. */
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
  return useQuery<Answer<T>, Problem>({
    queryKey: keyOf(path),
    queryFn: ({ signal }) => call<T>('GET', path, { signal }),
    enabled: options.enabled ?? true,
    ...(options.refetchMs !== undefined && { refetchInterval: options.refetchMs }),
    ...(options.keep && { placeholderData: keepPreviousData }),
  })
}

/** Always the same function, so that rows are put together when they come and not whenever they are shown. */
function rowsOf<T>({ pages }: InfiniteData<Answer<T[]>, string>): { rows: T[]; total: number | undefined } {
  return { rows: pages.flatMap((page) => page.data), total: pages[0]?.total }
}

export function useList<T>(path: string, options: ReadOptions = {}) {
  const query = useInfiniteQuery<Answer<T[]>, Problem, { rows: T[]; total: number | undefined }, QueryKey, string>({
    queryKey: [...keyOf(path), 'list'],
    queryFn: ({ pageParam, signal }) => call<T[]>('GET', pageParam, { signal }),
    initialPageParam: path,
    getNextPageParam: (last) => last.next && withLargerPage(last.next),
    select: rowsOf,
    enabled: options.enabled ?? true,
    ...(options.refetchMs !== undefined && { refetchInterval: options.refetchMs }),
    placeholderData: keepPreviousData,
    // Comparing all rows with those before would take longer the more there are.
    structuralSharing: false,
  })
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

/** The first page is small, to be there at once; whoever goes on comes quickly to the end of a long list. */
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

/** A change, after which what it may have touched is read again. */
export function useChange<T>(stale: string[], onDone?: (answer: Answer<T>) => void) {
  const readAgain = useReadAgain(stale)
  return useMutation<Answer<T>, Problem, Change>({
    mutationFn: ({ method, path, ...request }) => call<T>(method, path, request),
    onSuccess: async (answer) => {
      await readAgain()
      onDone?.(answer)
    },
  })
}

export function useReadAgain(stale: string[]): () => Promise<unknown> {
  const client = useQueryClient()
  const keys = stale.map((path) => keyOf(path).slice(0, -1))
  return () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}
