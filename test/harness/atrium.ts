import { after, before, describe } from 'node:test'
import { type Service, startService } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { type Engine, engines, type FreshDatabase, furnishedDatabase, migratedDatabase } from './databases.ts'
import { estate as standardEstate } from './estate.ts'
import { seed, tokensFor } from './seed.ts'
import { unlimited } from './unlimited.ts'

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
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
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
  /** A database of the test's own, which the test drops. It is used as it is, unless it is to be seeded. */
  database?: Pick<FreshDatabase, 'url'>
  seeded?: true
}

export async function startAtrium(engine: Engine, options: StartOptions = {}): Promise<TestAtrium> {
  const { url: databaseUrl, drop, tokens: issued } = await databaseFor(engine, options)
  const log: string[] = []
  const settings = { ATRIUM_PORT: '0', ATRIUM_DATABASE: databaseUrl, ...unlimited, ...options.settings }
  const service = await startService(readConfig(settings), { logStream: { write: (line) => void log.push(line) } })
  const estate = (options.estate ?? standardEstate) as typeof standardEstate
  if (issued === undefined && (drop !== undefined || options.seeded)) await seed(service.db, estate)
  const tokens = issued ?? (await tokensFor(service.db, estate.partners))
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
      await drop?.()
    },
  }
}

interface Ground {
  url: string
  /** Set if the database is not the test's own. */
  drop?: FreshDatabase['drop']
  /** Set if the database contains the estate already. */
  tokens?: Record<string, string>
}

async function databaseFor(engine: Engine, { database, estate }: StartOptions): Promise<Ground> {
  if (database !== undefined) return { url: database.url }
  const furnished = estate === undefined ? await furnishedDatabase(engine) : undefined
  return furnished ?? migratedDatabase(engine)
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

/** Runs a suite once per engine, each time on a new server. */
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
