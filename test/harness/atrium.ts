import { after, before, describe } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { createToken } from '../../src/operations/token.ts'
import { type Service, startService } from '../../src/service.ts'
import { type Engine, engines, type FreshDatabase, freshDatabase } from './databases.ts'
import { estate as standardEstate } from './estate.ts'
import { seed } from './seed.ts'

export interface Asked {
  as?: string | undefined
  headers?: Record<string, string>
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
}

export interface Answered {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** A real server on a database of its own. */
export interface TestAtrium {
  url: string
  service: Service
  engine: Engine
  databaseUrl: string
  log: string[]
  tokens: Record<string, string>
  /** `ask('GET /v1/facilities/', { as: 'hotelier' })` */
  ask(request: string, asked?: Asked): Promise<Answered>
  stop(): Promise<void>
}

export interface StartOptions {
  estate?: object
  settings?: Record<string, string>
  /** A database of the caller's, which it drops itself. It is taken as it is, unless it is to be seeded. */
  database?: Pick<FreshDatabase, 'url'>
  seeded?: true
}

export async function startAtrium(engine: Engine, options: StartOptions = {}): Promise<TestAtrium> {
  const own = options.database === undefined ? await freshDatabase(engine) : undefined
  const { url: databaseUrl = '' } = options.database ?? own ?? {}
  const log: string[] = []
  const unlimited = { ATRIUM_RATE_LIMIT: 'off', ATRIUM_WRONG_TOKEN_LIMIT: 'off' }
  const settings = { ATRIUM_PORT: '0', ATRIUM_DATABASE: databaseUrl, ...unlimited, ...options.settings }
  const service = await startService(readConfig(settings), { logStream: { write: (line) => void log.push(line) } })
  const estate = (options.estate ?? standardEstate) as typeof standardEstate
  if (own !== undefined || options.seeded) await seed(service.db, estate)
  const tokens: Record<string, string> = {}
  for (const { id } of estate.partners) {
    const issued = await createToken(service.db, { partner: id, name: 'test', expiresAt: null, allowedRanges: [] })
    tokens[id] = issued?.secret ?? ''
  }
  return {
    url: service.url,
    service,
    engine,
    databaseUrl,
    log,
    tokens,
    ask: (request, asked) => ask(service.url, tokens, request, asked),
    stop: async () => {
      await service.close()
      await own?.drop()
    },
  }
}

async function ask(url: string, tokens: Record<string, string>, request: string, asked: Asked = {}): Promise<Answered> {
  const [method = '', path = ''] = request.split(' ')
  const { as, body } = asked
  const json = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${tokens[as] ?? as}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...asked.headers,
    },
    ...(json !== undefined && { body: json }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(response, text) }
}

function parsed(response: Response, text: string): unknown {
  return text !== '' && /[/+]json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined
}

/** Runs a suite once on each engine, each time on a fresh server. */
export function onEachEngine(title: string, options: StartOptions, suite: (atrium: () => TestAtrium) => void): void {
  for (const engine of engines) {
    describe(`${title} (${engine})`, () => {
      let atrium: TestAtrium | undefined
      before(async () => {
        atrium = await startAtrium(engine, options)
      })
      after(() => atrium?.stop())
      suite(() => atrium as TestAtrium)
    })
  }
}
