import type { RemoteConfig } from '../../config.ts'
import { Refusal, type RefusalCode } from '../../domain/refusal.ts'
import { atriumVersion } from '../../version.ts'
import { Failure } from '../failure.ts'
import { connectionFailure } from './connection-failure.ts'

interface Sent {
  method?: string
  json?: unknown
  /** The request body, as bytes to be sent unchanged. `headers` has their media type and encoding. */
  stream?: AsyncIterable<Uint8Array>
  headers?: Record<string, string>
}

export interface RemoteServer {
  url: string
  /** The server's time when the command connected, in ISO 8601: its clock can differ from that of this machine. */
  connectedAt: string
  call<T>(path: string, sent?: Sent): Promise<T>
  /** Returns all items of a list, which the server returns page by page. */
  list<T>(path: string): Promise<T[]>
  open(path: string, sent?: Sent): Promise<Response>
  /** Yields the body of a response. Throws a Failure if the connection is lost. */
  read(response: Response): AsyncGenerator<Uint8Array>
}

export async function connectTo({ url, key }: RemoteConfig): Promise<RemoteServer> {
  const open = async (path: string, sent: Sent = {}) => {
    const response = await fetch(url + path, requestOf(key, sent)).catch((error: unknown) => {
      throw connectionFailure(url, error)
    })
    if (!response.ok) throw await refusalOf(url, response)
    return response
  }
  const parsed = <T>(response: Response): Promise<T> =>
    (response.json() as Promise<T>).catch((error: unknown) => {
      throw error instanceof SyntaxError ? new Failure(`there is no Atrium at ${url}`) : connectionFailure(url, error)
    })
  const about = await open('/cms/v1/about')
  requireSameVersion(url, (await parsed<{ version?: unknown }>(about)).version)
  return {
    url,
    connectedAt: new Date(about.headers.get('date') ?? Date.now()).toISOString(),
    open,
    call: async (path, sent) => parsed(await open(path, sent)),
    list: async <T>(path: string) => {
      const items: T[] = []
      for (let next: string | undefined = path; next !== undefined; ) {
        const response: Response = await open(next)
        items.push(...(await parsed<T[]>(response)))
        next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      }
      return items
    },
    read: async function* (response) {
      try {
        yield* (response.body ?? []) as AsyncIterable<Uint8Array>
      } catch (error) {
        throw connectionFailure(url, error)
      }
    },
  }
}

function requestOf(key: string, { method, json, stream, headers }: Sent): RequestInit {
  const content = json === undefined ? {} : { 'content-type': 'application/json' }
  return {
    method: method ?? (json === undefined && stream === undefined ? 'GET' : 'POST'),
    headers: { ...content, ...headers, authorization: `Bearer ${key}` },
    redirect: 'error',
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(stream !== undefined && { body: stream, duplex: 'half' }),
  } as RequestInit
}

export interface Problem {
  code: RefusalCode
  detail: string
  errors?: { pointer: string; detail: string }[]
}

/** Returns the Refusal that a database operation would throw; a Failure if the server or the key is at fault. */
async function refusalOf(url: string, response: Response): Promise<Error> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined
  const { code, detail } = problem ?? {}
  if (code === undefined || detail === undefined) {
    return new Failure(`there is no Atrium at ${url}: it responded with status ${response.status}`)
  }
  if (response.status >= 500) return new Failure(`${url} responded with status ${response.status}: ${detail}`)
  return refusalFromProblem(url, problem as Problem)
}

export function refusalFromProblem(url: string, { code, detail, errors }: Problem): Error {
  if (code === 'key_invalid' || code === 'address_not_allowed') {
    return new Failure(
      `${url} does not accept the key (${detail}): create one with \`atrium operator key create\` or in the console`,
    )
  }
  if (code === 'route_not_found' || code === 'method_not_allowed') {
    return new Failure(
      `${url} does not know this command: it may run another version of Atrium than ${atriumVersion()}`,
    )
  }
  return new Refusal(code, detail, errors === undefined ? {} : { errors })
}

/** Throws unless the server has the same major and minor version; patch versions have the same API. */
function requireSameVersion(url: string, version: unknown): void {
  if (typeof version !== 'string') throw new Failure(`there is no Atrium at ${url}`)
  const line = (text: string) => text.split('.').slice(0, 2).join('.')
  if (line(version) === line(atriumVersion())) return
  throw new Failure(`${url} runs Atrium ${version}, and this command is of ${atriumVersion()}: use the same version`)
}
