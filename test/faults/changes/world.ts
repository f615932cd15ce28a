import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandLine } from '../../../src/domain/audit/audit.ts'
import { createOperator } from '../../../src/operations/access/operator.ts'
import { createKey } from '../../../src/operations/access/operator-key.ts'
import { type Engine, migratedDatabase } from '../../harness/databases.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { webhookSettings } from '../../harness/some-webhook.ts'
import { withDb } from '../../harness/with-db.ts'
import { fill } from '../../torture/fill.ts'
import { runAtrium, startNode } from '../../torture/node.ts'

/** JSON of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: responses of many routes
export type Json = any

export interface Answer {
  status: number
  body: Json
  headers: Headers
}

interface Sent {
  body?: unknown
  /** A partner's token, or a cookie; the administrator's key by default. */
  as?: string
  type?: string
  headers?: Record<string, string>
}

/** A running build with an administrator, a partner and a receiver of webhooks. */
export interface World {
  url: string
  admin: { id: string; email: string }
  /** A token of the partner `p`. */
  token: string
  receiver: Receiver
  ask(request: string, sent?: Sent): Promise<Answer>
  /** Sends a request and returns the body; throws unless it succeeded. */
  done(request: string, body?: unknown, sent?: Omit<Sent, 'body'>): Promise<Json>
  /** Runs a command while the server runs; throws unless it succeeded. */
  command(...args: string[]): Promise<string>
  /** Returns the text that the console of this build shows for an entry. */
  shown(entry: Json): Json
  [Symbol.asyncDispose](): Promise<void>
}

const estate = {
  facilities: [
    {
      id_external: 'f',
      name: 'F',
      type: 'hotel',
      room_services: true,
      address: { street: '1 rue A', postal_code: '69001', city: 'Lyon', region: null, country: 'FR' },
      devices: [{ id: 'tv-1', type: 'tv', model: 'M', serial: 'S', status: 'online', area: '1' }],
      areas: [
        { id: '1', name: 'One', data_general: [{ floor: 1 }] },
        { id: '2', name: 'Two' },
      ],
      areas_autocomplete_list: [
        { id: '1', name: 'One' },
        { id: '2', name: 'Two' },
      ],
    },
    { id_external: 'g', name: 'G', areas: [{ id: '1', name: 'One' }] },
  ],
  partners: [
    { id: 'p', name: 'P', webhooks: true, grants: [{ facilities: ['f'], read: '*', write: '*', rooms: '*' }] },
  ],
}

export async function startWorld(build: string, engine: Engine): Promise<World> {
  const database = await migratedDatabase(engine)
  const receiver = await startReceiver()
  const tokens = await fill(database.url, estate)
  const { admin, key } = await withDb(database.url, async (db) => {
    const draft = { email: 'admin@example.com', name: 'Admin', role: 'admin', password: null } as const
    const admin = await createOperator(db, commandLine, draft)
    const order = { operator: admin.id, name: 'harness', expiresAt: null, allowedRanges: [] }
    return { admin, key: (await createKey(db, commandLine, order)).secret }
  })
  const settings = { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent', ...webhookSettings }
  const node = await startNode(build, { settings })
  const { changesOf, factsOf } = await import(pathToFileURL(join(build, 'console/src/changes/audit-entry.ts')).href)
  const ask = (request: string, sent: Sent = {}) => send(node.url, request, { as: key, ...sent })
  return {
    ...{ url: node.url, admin, token: tokens.p ?? '', receiver, ask },
    done: async (request, body, sent = {}) => {
      const answer = await ask(request, { ...sent, ...(body !== undefined && { body }) })
      if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    command: async (...args) => {
      const { code, printed } = await runAtrium(build, settings, ...args)
      if (code !== 0) throw new Error(`atrium ${args.join(' ')}: ${printed}`)
      return printed
    },
    shown: (entry) => ({ changes: changesOf(entry).map(withKey), facts: factsOf(entry) }),
    [Symbol.asyncDispose]: async () => {
      await node.end('SIGKILL')
      await receiver[Symbol.asyncDispose]()
      await database.drop()
    },
  }
}

async function send(url: string, request: string, { as = '', body, type, headers }: Sent): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ')
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(as.includes('=')
        ? { cookie: as, origin: url, 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${as}` }),
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: type === undefined ? JSON.stringify(body) : String(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}

/** What a change belongs to is shown above its values. */
function withKey({ key, about, before, after, listBefore }: Json): Json {
  return { before: before && [key, about, before, listBefore], after: after && [key, about, after] }
}
