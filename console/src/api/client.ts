import { isSentAsWritten } from './path.ts'

/** A problem (RFC 9457) returned by the API. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly requestId: string | undefined
  readonly errors: { pointer?: string; detail: string }[]

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.detail ?? body.title ?? ''))
    this.status = status
    this.code = String(body.code ?? 'unknown')
    this.title = String(body.title ?? '')
    this.requestId = typeof body.request_id === 'string' ? body.request_id : undefined
    this.errors = Array.isArray(body.errors) ? body.errors : []
  }
}

export interface ApiResponse<T> {
  data: T
  etag: string | undefined
  /** Path of the next page of a list. */
  next: string | undefined
  total: number | undefined
}

export interface Request {
  body?: unknown
  /** A body of another type than JSON, which is sent unchanged. */
  text?: { type: string; content: string | ArrayBuffer }
  ifMatch?: string | undefined
  /** The cycle of the room as it is shown, null for a closed one: the request is refused once it has another guest. */
  cycle?: string | null
  signal?: AbortSignal
  /** Requests progress as lines of JSON; called for each. */
  onProgress?: (progress: Progress) => void
}

/** Number of steps done, and in all. */
export interface Progress {
  done: number
  of: number
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const base = '/cms/v1'
const pathChanged = 'With this identifier the request would be about something else.'

export async function call<T>(method: Method, path: string, request: Request = {}): Promise<ApiResponse<T>> {
  const { body, text, ifMatch, cycle, signal, onProgress } = request
  if (!isSentAsWritten(base + path)) throw new Problem(400, { code: 'path_changed', detail: pathChanged })
  const response = await fetch(base + (onProgress ? withProgress(path) : path), {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(text && { 'content-type': text.type }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(cycle !== undefined && { 'atrium-cycle': cycle ?? 'none' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(text && { body: text.content }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Problem(0, { code: 'unreachable' })
  })
  const type = response.headers.get('content-type') ?? ''
  if (onProgress && type.includes('ndjson')) return lastLine<T>(response, onProgress)
  const read = /json/.test(type) ? await response.json() : undefined
  if (!response.ok) throw new Problem(response.status, read ?? { code: 'unexpected', title: response.statusText })
  const total = response.headers.get('x-total-count')
  return {
    data: read as T,
    etag: response.headers.get('etag') ?? undefined,
    next: nextOf(response.headers.get('link')),
    total: total === null ? undefined : Number(total),
  }
}

const withProgress = (path: string) => `${path}${path.includes('?') ? '&' : '?'}progress=true`

/** Reads lines of JSON: progress, and finally the response or the problem. */
async function lastLine<T>(response: Response, onProgress: (progress: Progress) => void): Promise<ApiResponse<T>> {
  for await (const line of linesOf(response)) {
    const { answer, problem, ...progress } = JSON.parse(line)
    if (problem) throw new Problem(problem.status, problem)
    if (answer) return { data: answer, etag: undefined, next: undefined, total: undefined }
    onProgress(progress)
  }
  throw new Problem(0, { code: 'unreachable' })
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const part = await reader?.read().catch(() => undefined)
    if (part?.value === undefined) return
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function nextOf(link: string | null): string | undefined {
  const target = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  if (target === undefined) return undefined
  const { pathname, search } = new URL(target, location.origin)
  return pathname.slice(base.length) + search
}

/** Builds a path with a query of the defined parameters: `path('/facilities', { q: 'a', status: undefined })`. */
export function pathWith(path: string, query: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Escapes an id as one segment of a path. */
export const segment = encodeURIComponent
